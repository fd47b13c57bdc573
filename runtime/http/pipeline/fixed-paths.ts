import type { RequestQuery } from "../../contract/request-info.ts";
import type { MetricsPath } from "../../metrics/health-metrics.ts";
import { methodNotAllowed, notAcceptable, unknownPath } from "../../values/status-errors.ts";
import { indexDocument } from "../discovery/index-document.ts";
import { answerDiscovery, type DiscoveryContext } from "../discovery/routes.ts";
import type { VersionInfo } from "../discovery/version.ts";
import { answerHealth, type HealthChecks, type OnHealthCheck } from "../health/health.ts";
import { acceptedNames } from "../negotiate/negotiate.ts";
import { sendPlainText, textNotFound } from "../respond/plain-text.ts";
import { sendBytes } from "../respond/send.ts";
import type { AppContext } from "./app-state.ts";
import { trimLastSlashes } from "./trim-slashes.ts";

/** What the handlers of non-resource paths need. */
export interface PathContext {
  readonly discovery: DiscoveryContext;
  readonly health: HealthChecks;
  readonly onHealthCheck: OnHealthCheck;
  readonly version: VersionInfo;
  readonly answerOpenApi: (ctx: AppContext, path: string) => Promise<boolean>;
  /** The text exposition of all metrics, or of the results of health checks. */
  readonly metrics: (path: MetricsPath) => Promise<Buffer>;
  /** Resets the metrics that a path shows; undefined if profiling is off. */
  readonly resetMetrics: ((path: MetricsPath) => Promise<void>) | undefined;
  /** Returns a debug page; undefined if there is none at this path. */
  readonly debugPage: (path: string, query: RequestQuery) => string | undefined;
  /** Serves `/debug/pprof/`; undefined if profiling is off. */
  readonly answerProfile: ((ctx: AppContext, path: string) => Promise<void>) | undefined;
  /** Returns `/.well-known/openid-configuration` or `/openid/v1/jwks`; undefined if the service account issuer is not a URL. */
  readonly openIdDocument: (path: string) => Promise<{ contentType: string; body: string } | undefined>;
}

/** The text format of Prometheus. Its scrapers check the version. */
const METRICS = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";

const OPENID_PATHS = new Set(["/.well-known/openid-configuration", "/openid/v1/jwks"]);

/** Responds to a request whose path names no resource. */
export async function answerPath(ctx: AppContext, path: string, context: PathContext): Promise<void> {
  const trimmed = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  if (path === "/" || path === "/index.html") {
    await sendJson(ctx, 200, indexDocument(context.discovery.groups(), context.health));
  } else if (trimLastSlashes(path) === "/version") {
    await answerVersion(ctx, context.version);
  } else if (path === "/metrics" || path === "/metrics/slis") {
    await answerMetrics(ctx, path, context);
  } else if (context.answerProfile !== undefined && /^\/debug\/pprof(?:\/|$)/.test(path)) {
    await context.answerProfile(ctx, path);
  } else if (path.startsWith("/debug/")) {
    const page = context.debugPage(path, ctx.state.info.query);
    await (page === undefined ? textNotFound(ctx) : sendPlainText(ctx, page));
  } else if (OPENID_PATHS.has(trimmed)) {
    await answerOpenId(ctx, trimmed, context);
  } else if (trimmed.startsWith("/openid/v1/jwks/")) {
    throw unknownPath();
  } else if (
    !(path === trimmed && (await answerHealth(ctx, path, context.health, context.onHealthCheck))) &&
    !(await context.answerOpenApi(ctx, path)) &&
    !(await answerDiscovery(ctx, path, context.discovery))
  ) {
    await textNotFound(ctx);
  }
}

async function answerMetrics(ctx: AppContext, path: MetricsPath, context: PathContext): Promise<void> {
  if (ctx.state.info.method === "DELETE" && context.resetMetrics !== undefined) {
    await context.resetMetrics(path);
    return sendPlainText(ctx, "metrics reset\n");
  }
  await sendBytes(ctx, await context.metrics(path), { status: 200, contentType: METRICS, compress: true });
}

async function answerVersion(ctx: AppContext, version: VersionInfo): Promise<void> {
  if (ctx.state.info.method !== "GET") throw methodNotAllowed();
  checkProduced(ctx, "application/json");
  await sendJson(ctx, 200, version);
}

/** Throws 406 unless the Accept header names the only media type of the document, or the wildcard for all types. Partial wildcards do not match. */
function checkProduced(ctx: AppContext, contentType: string): void {
  const accepted = acceptedNames(ctx.req.headers.accept || "*/*");
  if (!accepted.includes("*/*") && !accepted.includes(contentType)) {
    throw notAcceptable([contentType]);
  }
}

async function answerOpenId(ctx: AppContext, path: string, context: PathContext): Promise<void> {
  const document = await context.openIdDocument(path);
  if (document === undefined) {
    await textNotFound(ctx);
    return;
  }
  if (ctx.state.info.method !== "GET") {
    throw methodNotAllowed();
  }
  checkProduced(ctx, document.contentType);
  await sendBytes(ctx, Buffer.from(document.body), {
    status: 200,
    contentType: document.contentType,
    compress: false,
    headers: { "Cache-Control": "public, max-age=3600" },
  });
}

async function sendJson(ctx: AppContext, status: number, value: unknown): Promise<void> {
  await sendBytes(ctx, Buffer.from(JSON.stringify(value, undefined, 2)), {
    status,
    contentType: "application/json",
    compress: false,
  });
}
