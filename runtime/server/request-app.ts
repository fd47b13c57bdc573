import { randomUUID } from "node:crypto";
import type Koa from "koa";
import type { Aggregation } from "../aggregation/create-aggregation.ts";
import type { Audit } from "../audit/open-audit.ts";
import type { Authentication } from "../auth/authenticate/create-authentication.ts";
import type { Authorizer } from "../contract/authorization.ts";
import { encodeCbor } from "../encoding/cbor/encode-cbor.ts";
import { stringifyJson } from "../encoding/json/stringify-json.ts";
import { encodeEnvelope, envelopeAround } from "../encoding/protobuf/envelope.ts";
import { stringifyYaml } from "../encoding/yaml/stringify-yaml.ts";
import type { FindHandler } from "../handlers/handler.ts";
import { type VersionInfo, versionInfo } from "../http/discovery/version.ts";
import { createHealthChecks } from "../http/health/health-checks.ts";
import { createApp } from "../http/pipeline/app.ts";
import type { AppState } from "../http/pipeline/app-state.ts";
import { authorizeRequest } from "../http/pipeline/authorize-request.ts";
import { createBudgets } from "../http/pipeline/budgets.ts";
import { credentialsOf, headersOf } from "../http/pipeline/credentials.ts";
import type { DispatchContext } from "../http/pipeline/dispatch.ts";
import type { PathContext } from "../http/pipeline/fixed-paths.ts";
import { forwardRequests } from "../http/pipeline/forward-requests.ts";
import { changeQuery } from "../http/pipeline/query.ts";
import { ChunkPool } from "../http/respond/chunk-pool.ts";
import type { Codecs } from "../http/respond/codecs.ts";
import type { EncodingContext } from "../http/respond/encode-object.ts";
import { FlushRounds } from "../http/watch/flush-rounds.ts";
import { FrameJoiner } from "../http/watch/frame-joiner.ts";
import type { ServedKinds } from "../kinds/served-kinds.ts";
import { systemClock } from "../lib/clock.ts";
import type { OnUnexpected } from "../lib/unexpected-errors.ts";
import { AccessMetrics } from "../metrics/access-metrics.ts";
import { BudgetMetrics } from "../metrics/budget-metrics.ts";
import { type Metric, NumberMetric } from "../metrics/metric.ts";
import { addProcessMetrics } from "../metrics/process-metrics.ts";
import { RequestMetrics } from "../metrics/request-metrics.ts";
import { ServiceMetrics } from "../metrics/service-metrics.ts";
import type { StorageMetrics } from "../metrics/storage-metrics.ts";
import { WatchMetrics } from "../metrics/watch-metrics.ts";
import { calendarOf } from "../release/calendar.ts";
import { deprecationAnnotations, deprecationNotice } from "../release/deprecation.ts";
import type { FeatureGates } from "../release/feature-gates.ts";
import type { Encryption } from "../store/encryption/load-encryption.ts";
import type { Store } from "../store/store.ts";
import type { Platform } from "./platform.ts";
import type { ServerConfig } from "./server-config.ts";
import { externalUrl, type ServerState } from "./server-state.ts";

export interface RequestAppParts {
  readonly config: ServerConfig;
  readonly platform: Platform;
  readonly kinds: ServedKinds;
  readonly store: Store;
  readonly encryption: Encryption;
  readonly state: ServerState;
  readonly authentication: Authentication;
  readonly authorizer: Authorizer;
  /** Absent: nothing is audited. */
  readonly audit: Audit | undefined;
  readonly storage: StorageMetrics;
  /** Metrics of parts that know nothing of requests. */
  readonly families: readonly Metric[];
  readonly serviceCounts: () => Parameters<ServiceMetrics["collect"]>[0];
  readonly aggregation: Omit<Aggregation, "follow" | "close" | "availability">;
  readonly findHandler: FindHandler;
  readonly now: () => Date;
  readonly onUnexpected: OnUnexpected;
}

const codecs: Codecs = {
  stringifyJson: (value, pretty) => stringifyJson(value, pretty ? { pretty } : undefined),
  stringifyYaml,
  encodeCbor: (value) => encodeCbor(value),
  encodeEnvelope: (apiVersion, kind, raw) => encodeEnvelope({ apiVersion, kind, raw }),
  envelopeAround: (apiVersion, kind, rawLength) => envelopeAround({ apiVersion, kind, rawLength }),
};

/** Lists in pages and checks for unknown fields came with gates: before, their parameters were as good as not there. */
function understoodQuery(gates: FeatureGates): DispatchContext["understood"] {
  const pages = gates.enabled("APIListChunking");
  const checksFields = gates.enabled("ServerSideFieldValidation");
  if (pages && checksFields) return (query) => query;
  const changes = new Map<string, readonly string[]>();
  if (!pages) for (const name of ["limit", "continue"]) changes.set(name, []);
  if (!checksFields) changes.set("fieldValidation", ["Ignore"]);
  return (query) => changeQuery(query, changes);
}

/** Which features are on, by the stage of their gates; those that are stable say nothing of it. */
function featureMetric(gates: FeatureGates): NumberMetric {
  const help = "Whether a feature gate is enabled, by name and stage.";
  const metric = new NumberMetric("gauge", "kubernetes_feature_enabled", help, ["name", "stage"]);
  for (const { name, stage, enabled } of gates.known)
    metric.set(enabled ? 1 : 0, name, stage === "stable" ? "" : stage.toUpperCase());
  return metric;
}

/** Metrics of open connections, of those closed by a limit, and of unexpected errors. */
function addConnectionMetrics(metrics: RequestMetrics, state: ServerState): void {
  const open = new NumberMetric("gauge", "typeplane_open_connections", "Number of open client connections.");
  for (const metric of [open, state.closedConnections, state.unexpectedErrors]) metrics.add(metric);
  metrics.onExpose(() => open.set(state.connections()));
}

/** What `/version` tells: the Kubernetes release, and that of a project which has its own. */
function versionOf({ catalogue: { project }, release, dialed }: Platform): VersionInfo {
  if (project?.releases === undefined) return versionInfo(release);
  const { own, date } = dialed;
  return versionInfo(release, { project: project.name, release: own, ...(date !== undefined && { date }) });
}

/** What is running, as labels of a sample that is always 1. */
function buildMetric(build: VersionInfo): NumberMetric {
  const labels = {
    build_date: build.buildDate,
    compiler: build.compiler,
    git_commit: build.gitCommit,
    git_tree_state: build.gitTreeState,
    git_version: build.gitVersion,
    go_version: build.goVersion,
    major: build.major,
    minor: build.minor,
    platform: build.platform,
  };
  const metric = new NumberMetric(
    "gauge",
    "kubernetes_build_info",
    "Version and build of the server; the value is 1.",
    Object.keys(labels),
  );
  metric.set(1, ...Object.values(labels));
  return metric;
}

/** The app that answers requests, handed everything it needs. */
export function createRequestApp(parts: RequestAppParts): Koa<AppState> {
  const { config, platform, kinds, state } = parts;
  const { authenticate, impersonate, readCertificate } = parts.authentication;
  const metrics = new RequestMetrics(({ group, version, resource, subresource }) => {
    const descriptor = kinds.surface.find(group, version, resource)?.descriptor;
    return descriptor !== undefined && ["", ...descriptor.subresources.map(({ name }) => name)].includes(subresource);
  }, platform.metrics);
  metrics.add(state.validationMismatches);
  metrics.add(state.handshakeErrors);
  addConnectionMetrics(metrics, state);
  metrics.add(featureMetric(platform.gates));
  metrics.add(buildMetric(versionOf(platform)));
  addProcessMetrics(metrics);
  const access = new AccessMetrics();
  const watchMetrics = new WatchMetrics();
  const services = new ServiceMetrics();
  const budgets = createBudgets(config.budgets, config.connectionLimits.progressTimeoutMs, kinds.backlog);
  const budgetMetrics = new BudgetMetrics();
  const families = [parts.storage, access, watchMetrics, services, budgetMetrics, parts.aggregation, parts];
  for (const { families: some } of families) {
    for (const family of some) metrics.add(family);
  }
  for (const family of [...(parts.audit?.metrics ?? []), ...parts.authentication.metrics]) metrics.add(family);
  metrics.onExpose(() => budgets.collect(budgetMetrics));
  metrics.onExpose(() => services.collect(parts.serviceCounts()));
  metrics.onExpose(() => parts.aggregation.collect());
  metrics.onExpose(() => parts.storage.collect(kinds.countedKinds(), () => parts.store.diskSizes()));
  const encoding: EncodingContext = {
    codecs,
    types: platform.mediaTypes,
    schemas: platform.schemas,
    now: parts.now,
    naming: platform.naming,
  };
  const monotonic = (): number => performance.now();
  const flushRounds = new FlushRounds({ clock: systemClock, monotonic });
  return createApp({
    ...encoding,
    streamsLists: platform.gates.enabled("WatchList"),
    understood: understoodQuery(platform.gates),
    compress: platform.gates.enabled("APIResponseCompression"),
    stopping: state.stopping.signal,
    chunkPool: new ChunkPool(),
    flushRounds,
    frameJoiner: new FrameJoiner(flushRounds),
    waitingReaders: budgets.waitingReaders,
    watchMetrics,
    surface: () => kinds.surface,
    passOn: forwardRequests(parts.aggregation.passing),
    findHandler: parts.findHandler,
    deprecation: noticeDeprecation(platform, metrics),
    paths: pathContext(parts, encoding, metrics),
    allowedOrigins: config.corsAllowedOrigins,
    authenticate: (ctx) => authenticate(credentialsOf(ctx, readCertificate)),
    impersonate: (ctx) => impersonate(ctx.state.user, headersOf(ctx.req)),
    auditor: parts.audit?.auditor,
    authorize: authorizeRequest(parts.authorizer, platform.gates.enabled("AuthorizeWithSelectors"), {
      decision: `${platform.naming.group("authorization")}/decision`,
      reason: `${platform.naming.group("authorization")}/reason`,
    }),
    requestTimeoutMs: config.requestTimeoutMs,
    clock: systemClock,
    limits: budgets.limits,
    arriving: budgets.arriving,
    unread: budgets.unread,
    metrics,
    access,
    newUid: randomUUID,
    monotonic,
    onUnexpected: (error) => parts.onUnexpected("request", error),
  });
}

function pathContext(parts: RequestAppParts, encoding: EncodingContext, metrics: RequestMetrics): PathContext {
  const { platform, state, store } = parts;
  const surface = () => parts.kinds.discovered;
  let openApi: Promise<PathContext["answerOpenApi"]> | undefined;
  return {
    discovery: {
      ...encoding,
      surface,
      groups: parts.aggregation.groups,
      remote: parts.aggregation.discovered,
      serverAddress: () => new URL(externalUrl(parts.config, state)).host,
      speaksBeta: !platform.gates.enabled("AggregatedDiscoveryRemoveBetaType"),
    },
    health: createHealthChecks({
      pingStore: () => store.currentRevision(),
      started: () => state.started,
      stopping: () => state.goingDown,
      livezGraceMs: parts.config.livezGraceMs,
      uptimeMs: () => performance.now() - state.begun,
      encryption: parts.encryption.healthChecks,
    }),
    version: versionOf(platform),
    answerOpenApi: async (ctx, path) => {
      if (!path.startsWith("/openapi")) return false;
      // Loaded with the first request for it: starting does not wait for it.
      openApi ??= import("./openapi.ts").then(({ serveOpenApi }) =>
        serveOpenApi({
          surface,
          catalogue: platform.catalogue,
          customDefinitions: () => parts.kinds.customDefinitions,
          remote: parts.aggregation.openApi,
        }),
      );
      return (await openApi)(ctx, path);
    },
    metrics: () => metrics.expose(),
    openIdDocument: parts.authentication.openIdDocument,
  };
}

/** Warns of deprecated versions, and counts their use. Which versions of a custom kind are deprecated its definition says. */
function noticeDeprecation(platform: Platform, metrics: RequestMetrics): DispatchContext["deprecation"] {
  const calendar = calendarOf(platform.catalogue);
  return ({ entry, subresource }) => {
    const { custom, lifecycle } = entry.descriptor;
    if (custom === undefined && lifecycle.deprecated === undefined) return undefined;
    const notice =
      custom === undefined
        ? deprecationNotice(entry.descriptor, platform.dialed[calendar(entry.descriptor.group)])
        : custom.warning !== undefined && { warning: custom.warning, removedRelease: "" };
    if (!notice) {
      return undefined;
    }
    const { group, version, resource } = entry.descriptor;
    metrics.deprecated.set(1, group, version, resource, subresource?.name ?? "", notice.removedRelease);
    return { warning: notice.warning, annotations: deprecationAnnotations(notice, platform.catalogue.domain) };
  };
}
