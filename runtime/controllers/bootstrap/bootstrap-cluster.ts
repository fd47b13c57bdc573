import type { FrontProxyTrust } from "../../contract/authentication.ts";
import type { Naming } from "../../contract/naming.ts";
import type { GroupResource, ObjectReader, ObjectWriter } from "../../contract/object-access.ts";
import type { AddressRange } from "../services/address-range.ts";
import { localApiService, type RankedVersion } from "./api-services.ts";
import { authenticationConfigMap } from "./authentication-config-map.ts";
import { type BootstrapObject, ensureObjects } from "./bootstrap-object.ts";
import { defaultFlowControl, deleteFormerFlowControl } from "./flow-control.ts";
import {
  apiServerService,
  defaultServiceCidr,
  systemNamespaces,
  systemPriorityClasses,
  tokenTrackingConfigMap,
} from "./system-objects.ts";

export interface BootstrapParts {
  readonly naming: Naming;
  readonly reader: ObjectReader;
  readonly writer: ObjectWriter;
  readonly now: () => Date;
  readonly delay?: (milliseconds: number) => Promise<void>;
  /** Ranges of `--service-cluster-ip-range`. */
  readonly serviceRanges: readonly AddressRange[];
  readonly securePort: number;
  /** Of the API service; 0 for none. */
  readonly nodePort?: number;
  /** Versions that this server serves itself, without those of the APIService group. */
  readonly groupVersions: readonly RankedVersion[];
  /** Whether a kind is served at all, in any version: it may not exist at this release, or be switched off. */
  readonly serves: (resource: GroupResource) => boolean;
  /** CA certificate for client certificates. */
  readonly clientAuthorityPem: string;
  /** Front proxies whose headers are trusted, if any. */
  readonly frontProxy?: FrontProxyTrust | undefined;
  /** The store already holds what all servers with these kinds have: only what depends on the rest of the configuration is ensured. */
  readonly bootstrapped?: boolean | undefined;
  /** Ensures the default roles and bindings; absent where RBAC is off. */
  readonly reconcilePolicy?: () => Promise<void>;
}

/** Creates the bootstrap objects. Safe to run at every start, and on several servers at once. */
export async function bootstrapCluster(parts: BootstrapParts): Promise<void> {
  const { naming, serves } = parts;
  const now = parts.now();
  const ofConfiguration = [...objectsOfServer(parts, now), ...apiServices(parts, now), ...serviceCidr(parts, now)];
  if (parts.bootstrapped) return ensureServed(ofConfiguration, parts);
  await ensureServed(namespacesOf(parts), parts);
  const others: readonly BootstrapObject[] = [
    ...defaultFlowControl(naming, now),
    ...systemPriorityClasses(naming),
    ...ofConfiguration,
  ];
  // Some of the roles live in namespaces.
  const hasRoles =
    serves({ group: "", resource: "namespaces" }) &&
    serves({ group: naming.group("rbac.authorization"), resource: "clusterroles" });
  await Promise.all([ensureServed(others, parts), hasRoles && parts.reconcilePolicy?.()]);
}

/** Restores the bootstrap objects that must not stay deleted, and deletes those of former releases. */
export async function restoreCluster(parts: BootstrapParts): Promise<void> {
  const now = parts.now();
  const rounds = [
    async () => {
      await ensureServed(namespacesOf(parts), parts);
      await ensureServed(objectsOfServer(parts, now), parts);
    },
    // Without its FlowSchemas the server refuses most requests: restored even if nothing else can be.
    async () => {
      await ensureServed(defaultFlowControl(parts.naming, now), parts);
      await deleteFormerFlowControl(parts.naming, now, parts);
    },
  ];
  const results = await Promise.allSettled(rounds.map((round) => round()));
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

/** Leases of nodes have a namespace of their own, where there are nodes. */
function namespacesOf({ naming, serves }: BootstrapParts): readonly BootstrapObject[] {
  return systemNamespaces(naming, { nodeLeases: serves({ group: "", resource: "nodes" }) });
}

/** Objects with the address and the certificates of this server, and with the day of its start. */
function objectsOfServer(parts: BootstrapParts, now: Date): readonly BootstrapObject[] {
  const { naming, serviceRanges, securePort, nodePort = 0 } = parts;
  const serviceAddresses = serviceRanges.map((range) => range.at(0n));
  return [
    tokenTrackingConfigMap(now),
    ...(serviceAddresses.length === 0 ? [] : [apiServerService(naming, { serviceAddresses, securePort, nodePort })]),
    authenticationConfigMap(parts, now),
  ];
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
