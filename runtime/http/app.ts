import Koa from "koa";
import type { Auditor } from "../audit/auditor.ts";
import { EarlyFailure } from "../contract/status.ts";
import type { UserInfo } from "../contract/user-info.ts";
import { decodeQueryValue } from "../lib/broken-bytes.ts";
import type { Clock } from "../lib/clock.ts";
import { allowOrigins } from "./allow-origins.ts";
import { type AppContext, type AppState, type Next, rawResponse } from "./app-state.ts";
import { beginTrail, beginTrailOfNobody, endTrail } from "./audit-requests.ts";
import { beginFewAtATime } from "./begin-few-at-a-time.ts";
import { type DispatchContext, dispatch } from "./dispatch.ts";
import { type InFlightLimits, limitInFlight } from "./limit-in-flight.ts";
import { limitTime } from "./limit-time.ts";
import { type ErrorContext, renderErrors } from "./render-errors.ts";
import { parseRequestInfo } from "./request-info.ts";

/** Finds out who asks. Throws 401. */
export type Authenticate = (ctx: AppContext) => Promise<UserInfo>;
/** Whom the user of a request wants to be taken for, if anybody. Throws 403. */
export type Impersonate = (ctx: AppContext) => Promise<UserInfo> | undefined;
/** Refuses what the user may not do. Throws 403. Nothing is waited for where the answer is at hand. */
export type Authorize = (ctx: AppContext) => Promise<void> | undefined;
/** Counts requests. */
export interface RequestObserver {
  begin(ctx: AppContext): void;
  end(ctx: AppContext, milliseconds: number): void;
}

/** Counts who is let in. */
export interface AccessObserver {
  /** Undefined: nobody knows who asks. */
  authenticated(user: UserInfo | undefined, milliseconds: number): void;
  authorized(allowed: boolean, milliseconds: number): void;
}

export interface AppContextParts extends ErrorContext, DispatchContext {
  /** Origins whose pages may ask; none asks nobody. */
  readonly allowedOrigins: readonly RegExp[];
  readonly authenticate: Authenticate;
  readonly impersonate: Impersonate;
  /** Absent: nothing is audited. */
  readonly auditor: Auditor | undefined;
  readonly authorize: Authorize;
  readonly limits: InFlightLimits;
  readonly requestTimeoutMs: number;
  readonly clock: Clock;
  readonly metrics: RequestObserver;
  readonly access: AccessObserver;
  readonly newUid: () => string;
  readonly monotonic: () => number;
}

/** Koa itself listens to every answer and its socket until they end, lest one fail unnoticed: Node's server does so already. */
class App extends Koa<AppState> {
  async handleRequest(ctx: AppContext & Koa.Context, run: (ctx: AppContext) => Promise<void>): Promise<void> {
    ctx.res.statusCode = 404;
    try {
      await run(ctx);
      if (ctx.respond !== false) ctx.res.end();
    } catch (error) {
      ctx.onerror(error as Error);
    }
  }
}

/** The server as an ordered list of small functions. */
export function createApp(parts: AppContextParts): Koa<AppState> {
  const app = new App();
  app.silent = true;
  app.use(beginRequest(parts));
  app.use(beginFewAtATime());
  const { auditor, monotonic } = parts;
  if (auditor !== undefined) app.use(endTrail);
  app.use(renderErrors(parts));
  if (parts.allowedOrigins.length > 0) app.use(allowOrigins(parts.allowedOrigins));
  app.use(refuseUnclear);
  app.use(authenticateWith(parts));
  if (auditor !== undefined) app.use(beginTrail(auditor, monotonic));
  app.use(impersonateWith(parts));
  app.use(limitInFlight(parts.limits));
  app.use(limitTime(parts.requestTimeoutMs, parts.clock));
  app.use(authorizeWith(parts));
  app.use(dispatch(parts));
  return app;
}

function beginRequest({ metrics, newUid, monotonic }: AppContextParts) {
  return async (ctx: AppContext, next: Next): Promise<void> => {
    // Whether the server is there at all is no secret, and nobody's request.
    if (ctx.req.url === "*" && ctx.method === "OPTIONS") {
      rawResponse(ctx).writeHead(200, { "Content-Length": "0" }).end();
      return;
    }
    const { state } = ctx;
    state.started = monotonic();
    state.warnings = new Set();
    const asked = ctx.req.headers["audit-id"];
    state.auditId = typeof asked === "string" && asked !== "" ? asked : newUid();
    state.trail = undefined;
    state.waitedMs = 0;
    state.receivedBytes = undefined;
    state.sentBytes = 0;
    state.terminated = false;
    readRequestInfo(ctx);
    metrics.begin(ctx);
    try {
      await next();
    } finally {
      metrics.end(ctx, monotonic() - state.started);
    }
  };
}

function refuseUnclear(ctx: AppContext, next: Next): Promise<unknown> {
  const { info } = ctx.state;
  if (info.isResource || info.unclear !== true) return next();
  const problem = `unable to determine kind and namespace from url, ${ctx.req.url}`;
  throw new EarlyFailure(`failed to create RequestInfo: ${problem}`);
}

function authenticateWith({ authenticate, access, auditor, monotonic }: AppContextParts) {
  return async (ctx: AppContext, next: Next): Promise<void> => {
    const began = monotonic();
    try {
      ctx.state.user = await authenticate(ctx);
    } catch (error) {
      access.authenticated(undefined, monotonic() - began);
      if (auditor !== undefined) beginTrailOfNobody(ctx, auditor, monotonic);
      throw error;
    }
    access.authenticated(ctx.state.user, monotonic() - began);
    await next();
  };
}

function impersonateWith({ impersonate }: AppContextParts) {
  return (ctx: AppContext, next: Next): Promise<unknown> => {
    const asked = impersonate(ctx);
    if (asked === undefined) return next();
    const begin = (other: UserInfo) => {
      ctx.state.trail?.impersonates(other);
      ctx.state.user = other;
      return next();
    };
    return asked.then(begin, (error: unknown) => {
      ctx.set("X-Content-Type-Options", "nosniff");
      throw error;
    });
  };
}

function authorizeWith({ authorize, access, monotonic }: AppContextParts) {
  return async (ctx: AppContext, next: Next): Promise<void> => {
    const began = monotonic();
    try {
      const asked = authorize(ctx);
      if (asked !== undefined) await asked;
    } catch (error) {
      access.authorized(false, monotonic() - began);
      throw error;
    }
    access.authorized(true, monotonic() - began);
    await next();
  };
}

function readRequestInfo(ctx: AppContext): void {
  const url = originForm(ctx.req.url ?? "/");
  const at = url.indexOf("?");
  const path = decodePath(at < 0 ? url : url.slice(0, at));
  ctx.state.query = readQuery(at < 0 ? "" : url.slice(at + 1));
  ctx.state.info = parseRequestInfo(ctx.method, path, ctx.state.query);
}

/** Proxies may name the whole address where clients name the path. */
function originForm(url: string): string {
  return url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?]*(?=[/?]|$)/i, "") || "/";
}

/** Shared: queries are only read. */
const NO_QUERY = new URLSearchParams();
const BROKEN_ESCAPE = /%(?![0-9a-fA-F]{2})/;

/** A bare `dryRun` asks for nothing (section 4.3); terms that cannot be read are left out. */
function readQuery(text: string): URLSearchParams {
  if (text === "") return NO_QUERY;
  const terms = text.split("&").filter((term) => term !== "dryRun" && !term.includes(";") && !BROKEN_ESCAPE.test(term));
  const query = new URLSearchParams(terms.join("&"));
  const selector = query.get("labelSelector");
  if (selector?.includes("\ufffd")) {
    const term = terms.find((each) => each.startsWith("labelSelector="));
    if (term !== undefined) query.set("labelSelector", decodeQueryValue(term.slice("labelSelector=".length)));
  }
  return query;
}

function decodePath(path: string): string {
  if (!path.includes("%")) {
    return path;
  }
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
