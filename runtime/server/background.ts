import type { IsServed } from "../auth/authorize/default-policy/reduce-policy.ts";
import type { ApiObject } from "../contract/api-object.ts";
import type { FrontProxyTrust } from "../contract/authentication.ts";
import type { Naming } from "../contract/naming.ts";
import type { GroupResource, ObjectFeed, ObjectReader, ObjectWriter } from "../contract/object-access.ts";
import type { Verb } from "../contract/resource-descriptor.ts";
import type { ServerLeases } from "../controllers/api-server-endpoints.ts";
import type { AvailabilityParts } from "../controllers/api-service-availability.ts";
import { type BootstrapParts, bootstrapCluster } from "../controllers/bootstrap/bootstrap-cluster.ts";
import { createClusterKeeper } from "../controllers/bootstrap/cluster-keeper.ts";
import type { Controller, ControllerObserver, ControllerParts } from "../controllers/controller.ts";
import { createControllers } from "../controllers/create-controllers.ts";
import type { CollectedKind } from "../controllers/garbage/garbage-collector.ts";
import { AddressRange } from "../controllers/services/address-range.ts";
import type { PortRecord } from "../controllers/services/port-record.ts";
import type { StartUp } from "../http/health/start-up-steps.ts";
import type { ApiSurface } from "../kinds/api-surface.ts";
import type { ResourceEntry } from "../kinds/resource-entry.ts";
import { parseApiVersion } from "../kinds/served-resource.ts";
import { abortableDelay, type Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { ServerConfig } from "./server-config.ts";

/** What the bootstrap of a server wrote: the last revision of each object, by what names it. */
export type BootstrapWrites = ReadonlyMap<string, number>;

export interface BackgroundParts {
  readonly config: ServerConfig;
  readonly naming: Naming;
  /** All kinds of Kubernetes are served. */
  readonly servesAll: boolean;
  readonly objects: ObjectReader & ObjectWriter;
  /** Feed that does not load kinds without objects. */
  readonly sparseFeed: ObjectFeed;
  readonly surface: () => ApiSurface;
  readonly authorityPem: string;
  /** Whether the pods of a deleted namespace are deleted before everything else. */
  readonly podsFirst: boolean;
  /** CA certificate for client certificates. */
  readonly clientAuthorityPem: string;
  /** Front proxies that extension servers trust. */
  readonly frontProxy: FrontProxyTrust | undefined;
  readonly featureEnabled: (gate: string) => boolean;
  readonly securePort: number;
  /** Availability check of APIServices. */
  readonly availability: Pick<AvailabilityParts, "follow" | "judge">;
  readonly leases: ServerLeases;
  /** Whether the store holds the bootstrap objects of this configuration. */
  readonly bootstrapped: boolean;
  /** Called when all of them exist. */
  readonly onBootstrapped?: ((written: BootstrapWrites) => void) | undefined;
  readonly portRecord: PortRecord | undefined;
  /** States of the start-up steps. */
  readonly startUp: StartUp;
  readonly metrics: ControllerObserver;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly log: Log;
}

/** Work that runs independently of requests. */
export interface Background {
  /** Called when kinds came or went: these, or any. */
  kindsChanged(changed?: readonly GroupResource[]): Promise<void>;
  /** Resolves when the controllers have processed all changes so far; delayed work does not count. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** Creates the objects that every cluster starts with, then runs the controllers until they are stopped. */
export async function startBackground(parts: BackgroundParts): Promise<Background> {
  const { config, naming, objects, now } = parts;
  const written = new Map<string, number>();
  const writer = noteWrites(objects, written);
  const serves = ({ group, resource }: GroupResource): boolean => parts.surface().storesKind(group, resource);
  const cluster: BootstrapParts = {
    naming,
    reader: objects,
    writer,
    now,
    delay: (milliseconds) => abortableDelay(milliseconds, new AbortController().signal, parts.clock),
    serviceRanges: config.serviceClusterIpRange.split(",").map((range) => new AddressRange(range.trim())),
    securePort: parts.securePort,
    nodePort: config.apiServiceNodePort,
    groupVersions: parts
      .surface()
      .groups.filter(({ custom }) => !custom)
      .flatMap(({ name, versions, priority }) => versions.map((version) => ({ group: name, version, priority }))),
    serves,
    clientAuthorityPem: parts.clientAuthorityPem,
    frontProxy: parts.frontProxy,
    bootstrapped: parts.bootstrapped,
    step: (name, work) => parts.startUp.run([name], work),
    ...(config.authorizationModes.includes("RBAC") && { reconcilePolicy: () => reconcilePolicy(parts, writer) }),
  };
  await bootstrapCluster(cluster);
  parts.onBootstrapped?.(written);
  const builtIn = config.controllers ? await builtInControllers(parts, serves) : undefined;
  const running: Controller[] = [createClusterKeeper(cluster, controllerParts(parts))];
  running.push(...(await servingControllers(parts, serves)), ...(builtIn === undefined ? [] : [builtIn]));
  const failed = ({ name }: Controller) => {
    return (error: unknown) => parts.log("error", `${name}: ${String(error)}`);
  };
  // Hooks of kube-apiserver start controllers and do not wait for their first round, but for that of the repair of ports: the endpoints of a
  // server, for example, are published after it is ready.
  for (const controller of running) controller.start().catch(failed(controller));
  const repair = await nodePortRepair(parts, serves);
  const repaired =
    repair && parts.startUp.run(["start-service-ip-repair-controllers"], () => repair.start()).catch(failed(repair));
  if (repair !== undefined) running.push(repair);
  parts.startUp.finishOthers();
  await repaired;
  return {
    kindsChanged: async (changed) => builtIn?.kindsChanged(changed),
    async settled() {
      await Promise.all(running.map((controller) => controller.settled()));
    },
    async stop() {
      await Promise.all(running.map((controller) => controller.stop()));
    },
  };
}

/** The same writer, which notes the revisions that it writes. */
function noteWrites(writer: ObjectWriter, written: Map<string, number>): ObjectWriter {
  const note = ({ group, resource }: GroupResource, { metadata }: ApiObject, resourceVersion?: string): void => {
    const { namespace = "", name = "" } = metadata;
    written.set(`${resource}.${group}/${namespace}/${name}`, Number(resourceVersion));
  };
  return {
    async create(resource, object, as) {
      const created = await writer.create(resource, object, as);
      note(resource, created, created.metadata.resourceVersion);
      return created;
    },
    async update(resource, object, subresource, as) {
      const updated = await writer.update(resource, object, subresource, as);
      note(resource, object, updated.resourceVersion);
      return updated;
    },
    delete: (...asked) => writer.delete(...asked),
  };
}

/** Controllers that belong to serving, and run beside a controller-manager. Each is loaded if its kinds are served. */
async function servingControllers(
  parts: BackgroundParts,
  serves: (resource: GroupResource) => boolean,
): Promise<Controller[]> {
  const { naming } = parts;
  const { advertiseAddress: address } = parts.config;
  const controllers: Controller[] = [];
  if (serves({ group: naming.group("apiregistration"), resource: "apiservices" })) {
    const { createApiServiceAvailability } = await import("../controllers/api-service-availability.ts");
    controllers.push(createApiServiceAvailability({ ...controllerParts(parts), ...parts.availability }));
  }
  if (serves({ group: naming.group("flowcontrol.apiserver"), resource: "flowschemas" })) {
    const { createFlowSchemaLevels } = await import("../controllers/flow-schema-levels.ts");
    controllers.push(createFlowSchemaLevels(controllerParts(parts)));
  }
  if (address !== undefined && serves({ group: "", resource: "endpoints" })) {
    const { createApiServerEndpoints } = await import("../controllers/api-server-endpoints.ts");
    const { leases, securePort: port } = parts;
    const slices = serves({ group: naming.group("discovery"), resource: "endpointslices" });
    controllers.push(createApiServerEndpoints({ ...controllerParts(parts), leases, address, port, slices }));
  }
  const elects = parts.featureEnabled("CoordinatedLeaderElection");
  if (elects && serves({ group: naming.group("coordination"), resource: "leasecandidates" })) {
    const { createCoordinatedLeaderElection } = await import(
      "../controllers/leader-election/coordinated-leader-election.ts"
    );
    controllers.push(createCoordinatedLeaderElection(controllerParts(parts)));
  }
  return controllers;
}

async function nodePortRepair(
  parts: BackgroundParts,
  serves: (resource: GroupResource) => boolean,
): Promise<Controller | undefined> {
  const { portRecord: record } = parts;
  if (record === undefined || !serves({ group: "", resource: "services" })) return undefined;
  const { createNodePortRepair } = await import("../controllers/services/node-port-repair.ts");
  return createNodePortRepair({ ...controllerParts(parts), record });
}

async function reconcilePolicy(
  { naming, objects, servesAll, surface, featureEnabled }: BackgroundParts,
  writer: ObjectWriter,
): Promise<void> {
  const { reconcileDefaultPolicy } = await import("../auth/authorize/default-policy/reconcile-policy.ts");
  const isServed = servesAll ? undefined : servedIn(surface());
  await reconcileDefaultPolicy({ naming, reader: objects, writer, isServed, featureEnabled });
}

/** Whether a resource is served, with its subresource. Owners of an object need `finalizers`, which is no path. */
function servedIn(surface: ApiSurface): IsServed {
  const served = new Set<string>();
  for (const { descriptor } of surface.entries()) {
    const { group, resource, subresources } = descriptor;
    served.add(`${group}/${resource}`).add(`${group}/${resource}/finalizers`);
    for (const { name } of subresources) served.add(`${group}/${resource}/${name}`);
  }
  return (group, resource) => served.has(`${group}/${resource}`);
}

function controllerParts(parts: BackgroundParts): ControllerParts {
  return {
    naming: parts.naming,
    reader: parts.objects,
    writer: parts.objects,
    feed: parts.sparseFeed,
    metrics: parts.metrics,
    now: parts.now,
    delay: (milliseconds, signal) => abortableDelay(milliseconds, signal, parts.clock),
    onProblem: (controller, key, problem) =>
      parts.log("warn", `${controller}: ${key}: ${problem instanceof Error ? problem.message : String(problem)}`),
  };
}

/** The controllers of `config.controllers`, which is to be off when a controller-manager runs. */
function builtInControllers(
  parts: BackgroundParts,
  serves: (resource: GroupResource) => boolean,
): ReturnType<typeof createControllers> {
  return createControllers({
    ...controllerParts(parts),
    authorityPem: parts.authorityPem,
    podsFirst: parts.podsFirst,
    collectsGarbage: parts.config.garbageCollector,
    serves,
    async quota() {
      const [{ usageRules }, { isInScope }] = await Promise.all([
        import("../admission/quota/usage.ts"),
        import("../admission/quota/scopes.ts"),
      ]);
      return {
        rulesFor(resource) {
          const rules = usageRules(resource, parts);
          return { ...rules, inScope: (quota, object) => isInScope(quota, rules, object) };
        },
      };
    },
    async policies() {
      const { createPolicyTypeCheck } = await import("../admission/policies/policy-types.ts");
      return { checkTypes: createPolicyTypeCheck(parts.surface) };
    },
    resources: () => [...collectedKinds(parts.surface()).values()],
    isCollected: ({ group, resource }) => {
      const entry = parts.surface().findStored(group, resource);
      return entry !== undefined && isCollected(entry);
    },
    resolveKind: (apiVersion, kind) => {
      const { group, version } = parseApiVersion(apiVersion);
      const entry = parts.surface().findKind(group, version, kind);
      const found = entry && parts.surface().versionsOf(entry).find(isCollected);
      return found && collectedKind(found);
    },
  });
}

/** Everything that can be listed, watched and deleted, each stored kind once. */
function collectedKinds(surface: ApiSurface): Map<string, CollectedKind> {
  const found = new Map<string, CollectedKind>();
  for (const entry of surface.entries())
    if (isCollected(entry)) found.set(entry.descriptor.storage.type, collectedKind(entry));
  return found;
}

function isCollected({ descriptor }: ResourceEntry): boolean {
  return !descriptor.virtual && ["list", "watch", "delete"].every((verb) => descriptor.verbs.includes(verb as Verb));
}

function collectedKind({ descriptor: { storage, namespaced } }: ResourceEntry): CollectedKind {
  return { resource: { group: storage.group, resource: storage.resource }, namespaced };
}
