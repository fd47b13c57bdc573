import type { Naming } from "../../contract/naming.ts";
import type { GroupResource } from "../../contract/object-access.ts";
import type { Controller, ControllerParts } from "../controller.ts";
import { createPeriodicController } from "../periodic-controller.ts";
import type { AddressRange } from "../services/address-range.ts";
import { localApiService, type RankedVersion } from "./api-services.ts";
import { type AuthenticationTrust, authenticationConfigMap } from "./authentication-config-map.ts";
import { type BootstrapObject, type EnsureParts, ensureObjects } from "./bootstrap-object.ts";
import { defaultFlowControl, deleteFormerFlowControl } from "./flow-control.ts";
import {
  apiServerService,
  defaultServiceCidr,
  systemNamespaces,
  systemPriorityClasses,
  tokenTrackingConfigMap,
} from "./system-objects.ts";

/** Steps of the bootstrap, with the names of Kubernetes' health checks. */
export type BootstrapStep =
  | "start-system-namespaces-controller"
  | "start-cluster-authentication-info-controller"
  | "start-legacy-token-tracking-controller"
  | "rbac/bootstrap-roles"
  | "scheduling/bootstrap-system-priority-classes"
  | "priority-and-fairness-config-producer"
  | "bootstrap-controller"
  | "start-kubernetes-service-cidr-controller"
  | "kube-apiserver-autoregistration";

export interface BootstrapParts extends EnsureParts {
  readonly naming: Naming;
  readonly now: () => Date;
  /** Ranges from `--service-cluster-ip-range`. */
  readonly serviceRanges: readonly AddressRange[];
  readonly securePort: number;
  /** Node port of the API Service; 0 for none. */
  readonly nodePort?: number;
  /** Versions that this server serves itself, except those of the APIService group. */
  readonly groupVersions: readonly RankedVersion[];
  /** Whether a kind is served in any version. It may not exist in this release, or be disabled. */
  readonly serves: (resource: GroupResource) => boolean;
  /** Returns the current CAs and front proxies that extension servers trust. */
  readonly trust: () => AuthenticationTrust;
  /**
   * Whether the store already holds the objects that are equal for all servers with these kinds. Then only objects that depend on the rest of the
   * configuration are ensured.
   */
  readonly bootstrapped?: boolean | undefined;
  /** Ensures the default roles and bindings; undefined if RBAC is disabled. */
  readonly reconcilePolicy?: () => Promise<void>;
  /** Runs a step and records its state for health checks. */
  readonly step?: (name: BootstrapStep, work: () => Promise<void>) => Promise<void>;
}

/** Creates the bootstrap objects. May run at every start, and on several servers at once. A failed step does not stop the others. */
export async function bootstrapCluster(parts: BootstrapParts): Promise<void> {
  const { naming, serves, step = (_name, work) => work() } = parts;
  const now = parts.now();
  const ensure = (name: BootstrapStep, wanted: readonly BootstrapObject[]): Promise<void> =>
    step(name, () => ensureServed(wanted, parts));
  const ofConfiguration = () => [
    ensure("start-legacy-token-tracking-controller", [tokenTrackingConfigMap(now)]),
    ensure("bootstrap-controller", serviceOf(parts)),
    ensure("start-cluster-authentication-info-controller", [authenticationConfigMap(parts.trust(), now)]),
    ensure("kube-apiserver-autoregistration", apiServices(parts, now)),
    ensure("start-kubernetes-service-cidr-controller", serviceCidr(parts, now)),
  ];
  if (parts.bootstrapped) return allOf(ofConfiguration());
  await ensure("start-system-namespaces-controller", namespacesOf(parts));
  // Some roles are in these namespaces.
  const hasRoles =
    serves({ group: "", resource: "namespaces" }) &&
    serves({ group: naming.group("rbac.authorization"), resource: "clusterroles" });
  await allOf([
    ensure("priority-and-fairness-config-producer", defaultFlowControl(naming, now)),
    ...ofConfiguration(),
    ensure("scheduling/bootstrap-system-priority-classes", systemPriorityClasses(naming)),
    step("rbac/bootstrap-roles", async () => (hasRoles ? parts.reconcilePolicy?.() : undefined)),
  ]);
}

/** Waits for all promises, then throws the first error. */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === "rejected") throw result.reason;
}

const RESTORE_INTERVAL_MS = 60_000;

/** Restores deleted bootstrap objects every minute. */
export function createClusterKeeper(
  cluster: BootstrapParts,
  parts: Pick<ControllerParts, "delay" | "onProblem">,
): Controller {
  const work = {
    name: "cluster-keeper",
    subject: "what every cluster has",
    intervalMs: RESTORE_INTERVAL_MS,
    waitsFirst: true,
    round: () => restoreCluster(cluster),
  };
  return createPeriodicController(work, parts);
}

/** Restores the bootstrap objects that must not stay deleted, and deletes those of former releases. */
export async function restoreCluster(parts: BootstrapParts): Promise<void> {
  const now = parts.now();
  const rounds = [
    async () => {
      await ensureServed(namespacesOf(parts), parts);
      await ensureServed(objectsOfServer(parts, now), parts);
    },
    // Without its FlowSchemas the server rejects most requests: they are restored even if nothing else can be.
    async () => {
      await ensureServed(defaultFlowControl(parts.naming, now), parts);
      await deleteFormerFlowControl(parts.naming, now, parts);
    },
  ];
  await allOf(rounds.map((round) => round()));
}

/** The namespace for leases of nodes is needed only if nodes are served. */
function namespacesOf({ naming, serves }: BootstrapParts): readonly BootstrapObject[] {
  return systemNamespaces(naming, { nodeLeases: serves({ group: "", resource: "nodes" }) });
}

/** Returns the objects that contain the address and the certificates of this server, or the day of its start. */
function objectsOfServer(parts: BootstrapParts, now: Date): readonly BootstrapObject[] {
  return [tokenTrackingConfigMap(now), ...serviceOf(parts), authenticationConfigMap(parts.trust(), now)];
}

/** Returns the Service of this server; an empty list without service ranges. */
function serviceOf({ naming, serviceRanges, securePort, nodePort = 0 }: BootstrapParts): readonly BootstrapObject[] {
  const serviceAddresses = serviceRanges.map((range) => range.at(0n));
  return serviceAddresses.length === 0 ? [] : [apiServerService(naming, { serviceAddresses, securePort, nodePort })];
}

function apiServices({ naming, groupVersions }: BootstrapParts, now: Date): readonly BootstrapObject[] {
  const registration = naming.group("apiregistration");
  return groupVersions
    .filter(({ group }) => group !== registration)
    .map((groupVersion) => localApiService(naming, { ...groupVersion, managed: "onstart" }, now));
}

function serviceCidr({ naming, serviceRanges }: BootstrapParts, now: Date): readonly BootstrapObject[] {
  if (serviceRanges.length === 0) return [];
  const texts = serviceRanges.map((range) => range.text);
  return [defaultServiceCidr(naming, texts, now)];
}

async function ensureServed(wanted: readonly BootstrapObject[], parts: BootstrapParts): Promise<void> {
  const served = wanted.filter(({ resource }) => parts.serves(resource));
  await ensureObjects(served, parts);
}
