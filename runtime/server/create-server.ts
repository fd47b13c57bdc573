import type { KeyObject } from "node:crypto";
import type { RequestListener } from "node:http";
import type { Aggregation } from "../aggregation/create-aggregation.ts";
import { publishedTrust } from "../auth/authenticate/published-trust.ts";
import type { ApiRegistry } from "../contract/api-registry.ts";
import type { FrontProxyTrust } from "../contract/authentication.ts";
import { CustomKindChanges } from "../controllers/custom-kind-changes.ts";
import { createServerLeases } from "../controllers/server-leases.ts";
import { createInMemoryTransport, type Fetch } from "../http/transport/in-memory-transport.ts";
import { type Listener, listen } from "../http/transport/listen.ts";
import { DefinitionLifecycle } from "../kinds/custom/definition/definition-lifecycle.ts";
import type { SharedCaches } from "../kinds/served-kinds.ts";
import type { Clock } from "../lib/clock.ts";
import type { OnUnexpected } from "../lib/unexpected-errors.ts";
import type { MetricsPath } from "../metrics/health-metrics.ts";
import { type Background, startBackground } from "./background.ts";
import { listenOptions, urlOf } from "./listen-options.ts";
import type { DefinitionChange, Redefinition } from "./redefine-kinds.ts";
import { createRequestApp } from "./request-app.ts";
import {
  aggregationFor,
  authenticationFor,
  disturberFor,
  fairnessFor,
  handlersFor,
  type RequestAppParts,
  tellsUid,
} from "./request-parts.ts";
import { type Closers, type CoreParts, createCore, type ServerCore } from "./server-core.ts";
import { HTTPS_PORT, type ServerState } from "./server-state.ts";
import type { WorkerPart } from "./workers/worker-part.ts";

/** Grace period for in-process clients, which may never read the rest of a response body. */
const IN_MEMORY_GRACE_MS = 2_000;

export interface ServerParts extends CoreParts {
  /** If false, no socket is opened and the server is reachable only through `fetch`. */
  readonly listens?: boolean;
  /** Opens a listener other than a socket of this process: worker processes that serve all requests, or a simulated network. */
  readonly openListener?: (handle: RequestListener) => Promise<Listener>;
}

/** A running server. */
export interface Server {
  /** URL of the server. Without a socket, its DNS name within the cluster. */
  readonly url: string;
  /** Sends a request to this server without a socket. The headers authenticate the request, as on any connection. */
  readonly fetch: Fetch;
  /** Resolves when start-up is complete. */
  readonly ready: Promise<void>;
  /** Logs and counts an unexpected error, such as an uncaught exception. */
  readonly onUnexpected: OnUnexpected;
  /** Serves changed definitions without a restart: see `redefineKinds`. */
  redefine(registry: ApiRegistry, change: DefinitionChange): Promise<Redefinition>;
  /** The metrics of this process in the text format of Prometheus: of all paths, or only of the given one. */
  metrics(path?: MetricsPath): Promise<Buffer>;
  /** Resets the metrics of this process that a path shows. */
  resetMetrics(path: MetricsPath): void;
  /** Drops caches. */
  releaseMemory(): void;
  /** Returns the contents of the caches, for a server over a copy of the store that is made in the same turn of the event loop. */
  shareCaches(): SharedCaches;
  /** Private or public keys whose service account tokens are accepted in addition to those of the configuration. */
  acceptedKeys(): Promise<readonly KeyObject[]>;
  /** Resolves when the controllers have processed all changes so far; delayed work does not count. */
  settled(): Promise<void>;
  /** Whether requests other than watches are being handled, or watch events wait to be written to connections. */
  isBusy(): boolean;
  /** Reports not ready, ends watches, and lets other requests finish. */
  stop(): Promise<void>;
}

/** Creates a server. On failure, closes everything again, including the store. */
export async function createServer(parts: ServerParts): Promise<Server> {
  const { store, settings } = parts;
  const closers: Closers = [() => store.close(), () => settings.close(), () => settings.tracing?.close()];
  try {
    return await assemble(parts, closers);
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

/** Closes in the reverse order of opening. */
async function closeAll(closers: Closers): Promise<void> {
  for (const close of closers.toReversed()) await close();
}

async function assemble(parts: ServerParts, closers: Closers): Promise<Server> {
  const core = await createCore(parts, closers);
  const { config, kinds, state, onUnexpected } = core;
  const authentication = authenticationFor(core);
  closers.push(() => authentication.settled());
  const aggregation = aggregationFor(core);
  closers.push(() => aggregation.close());
  const audit = await core.settings.openAudit?.();
  closers.push(() => audit?.close());
  const disturber = await disturberFor(core);
  const undisturbed = handlersFor(core, authentication);
  const findHandler = disturber?.handlers(undisturbed) ?? undisturbed;
  const fairness = fairnessFor(core);
  const app = createRequestApp({ core, authentication, aggregation, audit, findHandler, disturber, fairness });
  closers.push(await followChanges({ core, aggregation, fairness }));
  const handle = app.callback();
  const memory = createInMemoryTransport(handle, () => state.url);
  const open = parts.openListener ?? (() => openListener(core, handle));
  const listener = parts.listens === false ? undefined : await open(handle);
  closers.push(() => Promise.all([listener?.close(config.requestTimeoutMs), memory.close(IN_MEMORY_GRACE_MS)]));
  state.connections = () => listener?.connections ?? 0;
  state.cutConnections = () => [listener, memory].forEach((transport) => void transport?.cut());
  state.url = listener === undefined ? `https://${core.platform.naming.vendor}.default.svc` : urlOf(config, listener);
  const background = core.worker ? followOwner(core.worker, state) : runBackground(core, aggregation, listener);
  const ready = background.then(() => undefined);
  ready.catch((error: unknown) =>
    core.log("error", `cannot create the objects that every cluster starts with: ${String(error)}`),
  );
  return {
    url: state.url,
    fetch: memory.fetch,
    metrics: (path) => state.exposeMetrics(path),
    resetMetrics: (path) => state.resetMetrics(path),
    ready,
    onUnexpected,
    redefine: async (registry, change) => (await import("./redefine-kinds.ts")).redefineKinds(core, registry, change),
    releaseMemory: () => kinds.releaseMemory(),
    shareCaches: () => kinds.shareCaches(),
    acceptedKeys: () => authentication.acceptedKeys(),
    async settled() {
      await (await background.catch(() => undefined))?.settled();
    },
    isBusy: () => (core.observed?.activity.underWay ?? 0) > 0 || state.flushesWait(),
    async stop() {
      await goDown(state, config.shutdownDelayMs, core.clock);
      await (await background.catch(() => undefined))?.stop();
      await closeAll(closers);
    },
  };
}

const DEFINITION_STEPS = [
  "start-apiextensions-informers",
  "start-apiextensions-controllers",
  "crd-informer-synced",
] as const;
const AGGREGATION_STEPS = [
  "start-kube-aggregator-informers",
  "apiservice-registration-controller",
  "apiservice-discovery-controller",
  "apiservice-openapi-controller",
  "apiservice-openapiv3-controller",
] as const;
const FAIRNESS_STEPS = [
  "priority-and-fairness-config-consumer",
  "priority-and-fairness-filter",
  "storage-object-count-tracker-hook",
] as const;

/**
 * Watches the TLS files and the objects that configure authorization, admission, custom kinds, aggregation and fairness. Resolves when all are
 * loaded.
 */
async function followChanges({
  core,
  aggregation,
  fairness,
}: Pick<RequestAppParts, "core" | "aggregation" | "fairness">): Promise<() => Promise<unknown>> {
  const { settings, platform, kinds, objects, writing, sparseFeed, state, now, log } = core;
  const { naming } = platform;
  const isWorker = core.worker !== undefined;
  const changes = new CustomKindChanges({
    naming,
    objects,
    feed: sparseFeed,
    surface: () => kinds.surface,
    controllers: () => state.background,
    now,
    log,
  });
  const definitions = new DefinitionLifecycle({
    naming,
    // A worker loads definitions at the start: a kind that the owner has established must not wait until the first definition is loaded.
    objects: isWorker ? objects : { ...objects, follow: (...followed) => sparseFeed.follow(...followed) },
    serve(name, definition) {
      const change = kinds.changeCustom(name, definition);
      if (!isWorker) changes.note(change);
    },
    isFollower: isWorker,
    served: async () => (isWorker ? undefined : changes.apply()),
    now,
    log,
  });
  const { startUp } = state;
  const followers = await Promise.all([
    startUp.run(["generic-apiserver-start-informers"], () => settings.access.follow(sparseFeed)),
    writing.followServices(),
    startUp.run(["start-apiserver-admission-initializer"], () => writing.followAdmission(sparseFeed)),
    startUp.run(DEFINITION_STEPS, () => definitions.start()),
    isWorker ? undefined : changes.follow(),
    startUp.run(AGGREGATION_STEPS, () => aggregation.follow()),
    fairness && startUp.run(FAIRNESS_STEPS, () => fairness.follow()),
    followFiles(core),
  ]);
  return () => Promise.all(followers.map((unfollow) => unfollow?.()));
}

function openListener(core: ServerCore, handle: Parameters<typeof listen>[0]): Promise<Listener> {
  const { state, worker, onUnexpected } = core;
  return listen(handle, {
    ...listenOptions(core),
    stopsSoon: () => state.goingDown,
    source: worker?.connections,
    onHandshakeError: () => state.faults.handshakeErrors.add(1),
    onClosed: (reason) => state.faults.closedConnections.add(1, reason),
    onUnexpected,
  });
}

/** A worker runs no background work. It is ready when the owner is. */
async function followOwner({ started }: WorkerPart, state: ServerState): Promise<Background> {
  await started;
  state.startUp.finishOthers();
  const nothing = async (): Promise<void> => undefined;
  return { kindsChanged: nothing, settled: nothing, stop: nothing };
}

/** Starts work that runs independently of requests. */
async function runBackground(
  core: ServerCore,
  aggregation: Aggregation,
  listener: Listener | undefined,
): Promise<Background> {
  const { config, platform, identity, kinds, state } = core;
  const own = { authority: identity.frontProxy.authorityPem, tellsUid: tellsUid(core) };
  const running = await startBackground({
    config,
    naming: platform.naming,
    servesAll: platform.base === "kubernetes" && platform.catalogue.project?.groups === undefined,
    objects: core.metrics.controllers.client(core.objects, () => new URL(state.url).host),
    metrics: core.metrics.controllers,
    sparseFeed: core.sparseFeed,
    surface: () => kinds.surface,
    authorityPem: identity.authorityPem,
    podsFirst: platform.gates.enabled("OrderedNamespaceDeletion"),
    featureEnabled: platform.gates.enabled,
    trust: () => ({
      clientAuthorityPem: core.tls.clients,
      frontProxy: publishedTrust(trustedProxies(core), config.aggregation.client === undefined ? own : undefined),
    }),
    availability: aggregation.availability,
    securePort: listener?.address.port ?? HTTPS_PORT,
    portRecord: core.portRecord,
    leases: createServerLeases(core.store, core.keyRoot),
    bootstrapped: core.bootstrapped,
    createPrepared: core.createPrepared,
    onBootstrapped: core.bootstrapped ? undefined : core.onBootstrapped,
    startUp: state.startUp,
    stopping: state.stopping.signal,
    clock: core.clock,
    now: core.now,
    log: core.log,
  });
  state.background = running;
  return running;
}

function trustedProxies({ config: { frontProxy }, tls }: ServerCore): FrontProxyTrust | undefined {
  const { frontProxies: authority } = tls;
  return frontProxy && authority !== undefined ? { ...frontProxy, authority } : undefined;
}

/** Returns the function that stops following the files; undefined if no flag names a file. */
async function followFiles(core: ServerCore): Promise<(() => void) | undefined> {
  const { tls, clientAuthority, frontProxy } = core.config;
  if ((tls.serving ?? clientAuthority ?? frontProxy) === undefined) return undefined;
  return (await import("./follow-tls-files.ts")).followTlsFiles(core);
}

/** Reports not ready at once, so that load balancers notice it. Ends watches after the delay. */
async function goDown(state: ServerState, delayMs: number, clock: Clock): Promise<void> {
  state.goingDown = true;
  if (delayMs > 0) {
    await new Promise<void>((resolve) => void clock.after(delayMs, resolve));
  }
  state.stopping.abort();
}
