import { randomUUID } from "node:crypto";
import type Koa from "koa";
import type { ResourceDescriptor } from "../contract/resource-descriptor.ts";
import { versionOf } from "../http/discovery/version.ts";
import { createHealthChecks } from "../http/health/health-checks.ts";
import { type Authorize, createApp } from "../http/pipeline/app.ts";
import type { AppState } from "../http/pipeline/app-state.ts";
import { authorizeRequest } from "../http/pipeline/authorize-request.ts";
import { createBudgets } from "../http/pipeline/budgets.ts";
import { credentialsOf, headersOf } from "../http/pipeline/credentials.ts";
import type { DispatchContext } from "../http/pipeline/dispatch.ts";
import type { PathContext } from "../http/pipeline/fixed-paths.ts";
import { forwardRequests } from "../http/pipeline/forward-requests.ts";
import { logRequests } from "../http/pipeline/log-requests.ts";
import { changeQuery } from "../http/pipeline/query.ts";
import type { QueueingContext } from "../http/pipeline/queue-requests.ts";
import { traceAuthorization, traceHandlers, traceRequests } from "../http/pipeline/trace-requests.ts";
import { ChunkPool } from "../http/respond/chunk-pool.ts";
import type { EncodingContext } from "../http/respond/encode-object.ts";
import { SharedSlices } from "../http/respond/pacer.ts";
import type { WaitingReaders } from "../http/respond/waiting-readers.ts";
import { FlushRounds } from "../http/watch/flush-rounds.ts";
import { FrameJoiner } from "../http/watch/frame-joiner.ts";
import { FrameLogs } from "../http/watch/frame-log.ts";
import { OpenWatches } from "../http/watch/send-watch.ts";
import { systemClock } from "../lib/clock.ts";
import type { HealthMetrics } from "../metrics/health-metrics.ts";
import type { RequestMetrics } from "../metrics/request-metrics.ts";
import { calendarOf } from "../release/calendar.ts";
import { type DeprecationNotice, deprecationAnnotations, deprecationNotice } from "../release/deprecation.ts";
import type { FeatureGates } from "../release/feature-gates.ts";
import { pingStoreOf, type RequestAppParts } from "./request-parts.ts";
import type { ServerCore } from "./server-core.ts";
import { createServerMetrics } from "./server-metrics.ts";
import { externalUrl, type ServerState, schemasKnownNow } from "./server-state.ts";

/** Removes `limit` and `continue`, and sets `fieldValidation` to Ignore, if their feature gates are off. */
function understoodQuery(gates: FeatureGates): DispatchContext["understood"] {
  const pages = gates.enabled("APIListChunking");
  const checksFields = gates.enabled("ServerSideFieldValidation");
  if (pages && checksFields) return (query) => query;
  const changes = new Map<string, readonly string[]>();
  if (!pages) for (const name of ["limit", "continue"]) changes.set(name, []);
  if (!checksFields) changes.set("fieldValidation", ["Ignore"]);
  return (query) => changeQuery(query, changes);
}

/** Log level from which kube-apiserver logs requests. */
const REQUEST_LOG_VERBOSITY = 3;

/** Creates the authorization of requests, which also writes audit annotations about its decision. */
function authorizeFor({ settings, platform }: ServerCore): Authorize {
  const group = platform.naming.group("authorization");
  const authorize = authorizeRequest(settings.access.authorizer, platform.gates.enabled("AuthorizeWithSelectors"), {
    decision: `${group}/decision`,
    reason: `${group}/reason`,
  });
  return settings.tracing ? traceAuthorization(authorize) : authorize;
}

/** The request app with all its dependencies. */
export function createRequestApp(parts: RequestAppParts): Koa<AppState> {
  const { core, authentication } = parts;
  const { config, platform, kinds, state, settings } = core;
  const { tracing } = settings;
  const { authenticate, impersonate, readCertificate } = authentication;
  const budgets = createBudgets(config.budgets, config.connectionLimits.progressTimeoutMs, kinds.backlog);
  const { metrics, access, watchMetrics, health } = createServerMetrics(parts, budgets);
  const encoding: EncodingContext = {
    types: platform.mediaTypes,
    schemas: schemasKnownNow(state),
    now: core.now,
    naming: platform.naming,
  };
  const monotonic = (): number => performance.now();
  state.exposeMetrics = (path) => metrics.expose(path);
  state.resetMetrics = (path) => metrics.reset(path);
  return createApp({
    ...encoding,
    streamsLists: platform.gates.enabled("WatchList"),
    understood: understoodQuery(platform.gates),
    compress: platform.gates.enabled("APIResponseCompression"),
    ...watchParts(core, monotonic),
    chunkPool: new ChunkPool(),
    slices: new SharedSlices(),
    waitingReaders: budgets.waitingReaders,
    watchMetrics,
    surface: () => kinds.surface,
    forward: forwardRequests(parts.aggregation.forwarding, budgets.waitingRelays),
    connections: connectionsFor(parts, budgets.waitingRelays),
    findHandler: tracing ? traceHandlers(parts.findHandler) : parts.findHandler,
    trace: tracing && traceRequests(tracing, monotonic),
    tracesResponses: tracing !== undefined,
    disturb: parts.disturber?.middleware,
    catchUp: core.worker?.catchUp,
    activity: core.observed?.activity,
    deprecation: noticeDeprecation(state, metrics),
    paths: pathContext(parts, encoding, metrics, health),
    allowedOrigins: config.corsAllowedOrigins,
    authenticate: (ctx) => authenticate(credentialsOf(ctx, readCertificate)),
    impersonate: (ctx) => impersonate(ctx.state.user, headersOf(ctx.req)),
    auditor: parts.audit?.auditor,
    authorize: authorizeFor(core),
    requestTimeoutMs: config.requestTimeoutMs,
    clock: core.clock,
    limits: budgets.limits,
    queuing: queuingFor(parts, budgets.limits.longRunning, monotonic),
    arriving: budgets.arriving,
    unread: budgets.unread,
    metrics: config.verbosity >= REQUEST_LOG_VERBOSITY ? logRequests(metrics, core.log) : metrics,
    access,
    newUid: randomUUID,
    monotonic,
    onUnexpected: (error) => core.onUnexpected("request", error),
  });
}

/** State that all watches share. */
function watchParts({ state }: RequestAppParts["core"], monotonic: () => number) {
  // Writes to connections are paced in real time, even if the server runs on a simulated clock.
  const flushRounds = new FlushRounds({ clock: systemClock, monotonic });
  state.flushesWait = () => !flushRounds.isIdle;
  return {
    openWatches: new OpenWatches(state.stopping.signal),
    flushRounds,
    frameJoiner: new FrameJoiner(),
    frameLogs: new FrameLogs(monotonic),
  };
}

/** Queues of priority and fairness; undefined if they are off. */
function queuingFor(
  { core, fairness }: RequestAppParts,
  longRunning: QueueingContext["longRunning"],
  monotonic: () => number,
): QueueingContext | undefined {
  return (
    fairness && {
      fairness: fairness.fairness,
      longRunning,
      headerPrefix: `X-${capitalize(core.platform.naming.vendor)}-PF-`,
      requestTimeoutMs: core.config.requestTimeoutMs,
      clock: systemClock,
      monotonic,
    }
  );
}

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Connections to nodes, pods and services. The module is loaded for the first such connection. */
function connectionsFor(
  { core, aggregation }: RequestAppParts,
  relays: WaitingReaders,
): DispatchContext["connections"] {
  const { nodes } = core.config;
  if (nodes === undefined) return undefined;
  const { signal } = core.state.stopping;
  let loaded: ReturnType<NonNullable<DispatchContext["connections"]>> | undefined;
  return () => {
    loaded ??= import("../nodes/node-transports.ts").then(({ NodeTransports }) => {
      const transports = new NodeTransports(nodes.credentials, core.settings.egress?.cluster?.dial);
      signal.addEventListener("abort", () => transports.close(), { once: true });
      const { headerRules } = aggregation.forwarding;
      return { transports, headerRules, timeoutMs: nodes.timeoutMs, stopping: signal, relays };
    });
    return loaded;
  };
}

function pathContext(
  parts: RequestAppParts,
  encoding: EncodingContext,
  metrics: RequestMetrics,
  healthMetrics: HealthMetrics,
): PathContext {
  const { core, aggregation } = parts;
  const { platform, state } = core;
  const surface = () => core.kinds.discovered;
  let openApi: Promise<PathContext["answerOpenApi"]> | undefined;
  return {
    discovery: {
      ...encoding,
      surface,
      groups: aggregation.groups,
      remote: aggregation.discovered,
      serverAddress: () => new URL(externalUrl(core.config, state)).host,
      speaksBeta: !platform.gates.enabled("AggregatedDiscoveryRemoveBetaType"),
      hashesVersions: platform.gates.enabled("StorageVersionHash"),
    },
    health: createHealthChecks({
      pingStore: pingStoreOf(core),
      startUp: state.startUp,
      stopping: () => state.goingDown,
      livezGraceMs: core.config.livezGraceMs,
      uptimeMs: () => performance.now() - state.begun,
      encryption: core.settings.encryption.healthChecks,
    }),
    onHealthCheck: (...result) => healthMetrics.observe(...result),
    version: versionOf(platform),
    answerOpenApi: async (ctx, path) => {
      if (!path.startsWith("/openapi")) return false;
      // Loaded on the first request, to keep start-up fast.
      openApi ??= loadOpenApi().then((serveOpenApi) =>
        serveOpenApi({
          surface,
          vendor: platform.catalogue.vendor,
          enums: platform.gates.enabled("OpenAPIEnums"),
          registry: () => {
            const { registry, openApiSchemas } = state.platform;
            return { readCatalogue: () => registry.readCatalogue(), openApiSchemas };
          },
          remote: aggregation.openApi,
        }),
      );
      return (await openApi)(ctx, path);
    },
    ...metricsPages(core, metrics),
    debugPage: (path, query) => parts.fairness?.debugPage(path, query),
    answerProfile: core.config.profiling
      ? async (ctx, path) => {
          const { answerProfile } = await import("../http/debug/profiles.ts");
          await answerProfile(ctx, path, state.stopping.signal);
        }
      : undefined,
    openIdDocument: parts.authentication.openIdDocument,
  };
}

/** Metrics of all processes; as in Kubernetes, they can be reset where profiles are served. */
function metricsPages(
  { config, worker }: ServerCore,
  metrics: RequestMetrics,
): Pick<PathContext, "metrics" | "resetMetrics"> {
  return {
    metrics: (path) => worker?.joinMetrics(path, (text) => metrics.keepLive(text)) ?? metrics.expose(path),
    resetMetrics: config.profiling
      ? async (path) => {
          metrics.reset(path);
          await worker?.resetOthers(path);
        }
      : undefined,
  };
}

async function loadOpenApi(): Promise<typeof import("../http/openapi/serve-openapi.ts").serveOpenApi> {
  const { loadOpenApiInTurns } = await import("../http/openapi/load-in-turns.ts");
  const { serveOpenApi } = await loadOpenApiInTurns();
  return serveOpenApi;
}

/** Warns about deprecated versions and counts their use. For a custom kind, its definition declares which versions are deprecated. */
function noticeDeprecation(state: ServerState, metrics: RequestMetrics): DispatchContext["deprecation"] {
  let platform = state.platform;
  let calendar = calendarOf(platform.catalogue);
  let notices = new Map<ResourceDescriptor, DeprecationNotice | undefined>();
  const noticeOf = (resource: ResourceDescriptor): DeprecationNotice | undefined => {
    if (notices.has(resource)) return notices.get(resource);
    const isSame = ({ storage }: ResourceDescriptor) =>
      storage.group === resource.storage.group && storage.kind === resource.storage.kind;
    const versions = platform.catalogue.resources.filter(isSame);
    const notice = deprecationNotice(resource, platform.dialed[calendar(resource.group)], versions);
    notices.set(resource, notice);
    return notice;
  };
  return ({ entry, subresource }) => {
    if (platform !== state.platform) {
      platform = state.platform;
      calendar = calendarOf(platform.catalogue);
      notices = new Map();
    }
    const { custom, lifecycle } = entry.descriptor;
    if (custom === undefined && lifecycle.deprecated === undefined) return undefined;
    const notice =
      custom === undefined
        ? noticeOf(entry.descriptor)
        : custom.warning !== undefined && { warning: custom.warning, removedRelease: "" };
    if (!notice) {
      return undefined;
    }
    const { group, version, resource } = entry.descriptor;
    metrics.deprecated.set(1, group, version, resource, subresource?.name ?? "", notice.removedRelease);
    return { warning: notice.warning, annotations: deprecationAnnotations(notice, platform.catalogue.domain) };
  };
}
