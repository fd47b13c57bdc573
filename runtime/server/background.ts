import { setImmediate as nextTurn } from "node:timers/promises";
import type { IsServed } from "../auth/authorize/default-policy/reduce-policy.ts";
import type { Naming } from "../contract/naming.ts";
import type { GroupResource, ObjectFeed, ObjectReader, ObjectWriter } from "../contract/object-access.ts";
import type { ServerLeases } from "../controllers/api-server-endpoints.ts";
import type { AvailabilityParts } from "../controllers/api-service-availability.ts";
import type { AuthenticationTrust } from "../controllers/bootstrap/authentication-config-map.ts";
import {
  type BootstrapParts,
  bootstrapCluster,
  createClusterKeeper,
} from "../controllers/bootstrap/bootstrap-cluster.ts";
import type { CreatePrepared } from "../controllers/bootstrap/prepared-of-server.ts";
import { type BootstrapWrites, noteWrites } from "../controllers/bootstrap/starting-objects.ts";
import type { Controller, ControllerObserver, ControllerParts } from "../controllers/controller.ts";
import { createControllers } from "../controllers/create-controllers.ts";
import { parseAddressRanges } from "../controllers/services/address-range.ts";
import type { PortRecord } from "../controllers/services/port-record.ts";
import { createPortRepair, createServingControllers } from "../controllers/serving-controllers.ts";
import type { StartUp } from "../http/health/start-up-steps.ts";
import type { ApiSurface } from "../kinds/api-surface.ts";
import { CollectedKinds } from "../kinds/collected-kinds.ts";
import { abortableDelay, type Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { UnavailableError } from "../store/errors.ts";
import type { ServerConfig } from "./server-config.ts";

export interface BackgroundParts {
  readonly config: ServerConfig;
  readonly naming: Naming;
  /** Whether all kinds of Kubernetes are served. */
  readonly servesAll: boolean;
  readonly objects: ObjectReader & ObjectWriter;
  /** Feed that does not load kinds without objects. */
  readonly sparseFeed: ObjectFeed;
  readonly surface: () => ApiSurface;
  readonly authorityPem: string;
  /** Whether the pods of a deleted namespace are deleted before everything else. */
  readonly podsFirst: boolean;
  /** CAs and front proxies that extension servers trust, published in a ConfigMap. */
  readonly trust: () => AuthenticationTrust;
  readonly featureEnabled: (gate: string) => boolean;
  readonly securePort: number;
  /** Availability check of APIServices. */
  readonly availability: Pick<AvailabilityParts, "follow" | "judge">;
  readonly leases: ServerLeases;
  /** Whether the store holds the bootstrap objects of this configuration. */
  readonly bootstrapped: boolean;
  /** Creates bootstrap objects with values of this server, if they are prepared. */
  readonly createPrepared: CreatePrepared | undefined;
  /** Called when all bootstrap objects exist. */
  readonly onBootstrapped?: ((written: BootstrapWrites) => void) | undefined;
  readonly portRecord: PortRecord | undefined;
  /** States of the start-up steps. */
  readonly startUp: StartUp;
  readonly metrics: ControllerObserver;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly log: Log;
}

/** Interval at which kube-apiserver retries its post-start hooks. */
const BOOTSTRAP_RETRY_MS = 1000;

/** Work that runs independently of requests. */
export interface Background {
  /** To be called after kinds were added or removed. Without `changed`, any kind may have changed. */
  kindsChanged(changed?: readonly GroupResource[]): Promise<void>;
  /** Resolves when the controllers have processed all changes so far; delayed work does not count. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** Creates the bootstrap objects of the cluster, then runs the controllers until they are stopped. */
export async function startBackground(parts: BackgroundParts): Promise<Background> {
  const { config, objects } = parts;
  const written = new Map<string, number>();
  const writer = noteWrites(objects, written);
  const serves = ({ group, resource }: GroupResource): boolean => parts.surface().storesKind(group, resource);
  const cluster = bootstrapParts(parts, writer, serves);
  await bootstrapWhenReachable(cluster, parts);
  parts.onBootstrapped?.(written);
  const serving = {
    controllers: controllerParts(parts),
    serves,
    availability: parts.availability,
    address: config.advertiseAddress,
    port: parts.securePort,
    leases: parts.leases,
    electsLeaders: parts.featureEnabled("CoordinatedLeaderElection"),
  };
  const failed = ({ name }: Controller) => {
    return (error: unknown) => {
      if (!parts.stopping.aborted) parts.log("error", `${name}: ${String(error)}`);
    };
  };
  const running: Controller[] = [];
  const repair = await createPortRepair(serving, parts.portRecord);
  const repaired =
    repair && parts.startUp.run(["start-service-ip-repair-controllers"], () => repair.start()).catch(failed(repair));
  if (repair !== undefined) running.push(repair);
  parts.startUp.finishOthers();
  await repaired;
  // Like the hooks of kube-apiserver: readiness waits only for the port repair. Requests that have already arrived are answered before the other
  // controllers are loaded and started. The endpoints of a server, for example, are published after the server is ready.
  await nextTurn();
  const ofServer = [createClusterKeeper(cluster, serving.controllers), ...(await createServingControllers(serving))];
  for (const controller of ofServer) {
    running.push(controller);
    controller.start().catch(failed(controller));
  }
  // The controllers that kube-controller-manager also has are loaded last.
  await nextTurn();
  const builtIn = config.controllers ? await builtInControllers(parts, serves) : undefined;
  if (builtIn !== undefined) {
    running.push(builtIn);
    builtIn.start().catch(failed(builtIn));
  }
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

/** Creates the bootstrap objects. Retries while the store does not respond: otherwise the server would never become ready. */
async function bootstrapWhenReachable(
  cluster: BootstrapParts,
  { stopping, clock, log }: Pick<BackgroundParts, "stopping" | "clock" | "log">,
): Promise<void> {
  for (;;) {
    try {
      return await bootstrapCluster(cluster);
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      log("warn", `the objects that every cluster starts with are created again: ${error.message}`);
      await abortableDelay(BOOTSTRAP_RETRY_MS, stopping, clock);
      if (stopping.aborted) throw error;
    }
  }
}

function bootstrapParts(
  parts: BackgroundParts,
  writer: ObjectWriter,
  serves: (resource: GroupResource) => boolean,
): BootstrapParts {
  const { config } = parts;
  return {
    naming: parts.naming,
    reader: parts.objects,
    writer,
    createPrepared: parts.createPrepared,
    now: parts.now,
    delay: (milliseconds) => abortableDelay(milliseconds, new AbortController().signal, parts.clock),
    serviceRanges: parseAddressRanges(config.serviceClusterIpRange),
    securePort: parts.securePort,
    nodePort: config.apiServiceNodePort,
    groupVersions: parts
      .surface()
      .groups.filter(({ custom }) => !custom)
      .flatMap(({ name, versions, priority }) => versions.map((version) => ({ group: name, version, priority }))),
    serves,
    trust: parts.trust,
    bootstrapped: parts.bootstrapped,
    step: (name, work) => parts.startUp.run([name], work),
    ...(config.authorizationModes.includes("RBAC") && { reconcilePolicy: () => reconcilePolicy(parts, writer) }),
  };
}

async function reconcilePolicy(
  { naming, objects, servesAll, surface, featureEnabled }: BackgroundParts,
  writer: ObjectWriter,
): Promise<void> {
  const { reconcileDefaultPolicy } = await import("../auth/authorize/default-policy/reconcile-policy.ts");
  const isServed = servesAll ? undefined : servedIn(surface());
  await reconcileDefaultPolicy({ naming, reader: objects, writer, isServed, featureEnabled });
}

/** Returns a predicate for served resources and subresources. Includes `finalizers`: it has no path, but owner references need its permission. */
function servedIn(surface: ApiSurface): IsServed {
  const served = new Set<string>();
  for (const { descriptor } of surface.entries()) {
    const { group, resource, subresources } = descriptor;
    served.add(`${group}/${resource}`).add(`${group}/${resource}/finalizers`);
    for (const { name } of subresources) served.add(`${group}/${resource}/${name}`);
  }
  return (group, resource) => served.has(`${group}/${resource}`);
}

/** Wraps a feed: a subscription that is completed only after the server began to stop is ended at once, because nothing else would end it. */
function feedUntil(stopping: AbortSignal, feed: ObjectFeed): ObjectFeed {
  return {
    async follow(...followed) {
      const unfollow = await feed.follow(...followed);
      if (stopping.aborted) unfollow();
      return unfollow;
    },
  };
}

function controllerParts(parts: BackgroundParts): ControllerParts {
  return {
    naming: parts.naming,
    reader: parts.objects,
    writer: parts.objects,
    feed: feedUntil(parts.stopping, parts.sparseFeed),
    metrics: parts.metrics,
    now: parts.now,
    delay: (milliseconds, signal) => abortableDelay(milliseconds, signal, parts.clock),
    onProblem: (controller, key, problem) =>
      parts.log("warn", `${controller}: ${key}: ${problem instanceof Error ? problem.message : String(problem)}`),
  };
}

/** The controllers that `config.controllers` enables. Should be disabled if a kube-controller-manager runs. */
function builtInControllers(
  parts: BackgroundParts,
  serves: (resource: GroupResource) => boolean,
): ReturnType<typeof createControllers> {
  const collected = new CollectedKinds(parts.surface);
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
    resources: () => collected.all(),
    isCollected: (resource) => collected.has(resource),
    resolveKind: (apiVersion, kind) => collected.find(apiVersion, kind),
  });
}
