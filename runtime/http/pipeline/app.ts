import Koa from "koa";
import type { Auditor } from "../../audit/auditor.ts";
import { EarlyFailure } from "../../contract/status.ts";
import type { UserInfo } from "../../contract/user-info.ts";
import type { Clock } from "../../lib/clock.ts";
import { isHttp2 } from "../transport/is-http2.ts";
import { allowOrigins, type OriginTest } from "./allow-origins.ts";
import { type AppContext, type AppState, type Next, rawResponse } from "./app-state.ts";
import { beginTrail, beginUnauthenticatedTrail, endTrail } from "./audit-requests.ts";
import { type DispatchContext, dispatch } from "./dispatch.ts";
import { holdHeads } from "./hold-heads.ts";
import { type InFlightLimits, limitInFlight } from "./limit-in-flight.ts";
import { limitTime } from "./limit-time.ts";
import { type QueueingContext, queueRequests } from "./queue-requests.ts";
import { type ErrorContext, renderErrors } from "./render-errors.ts";
import type { RequestActivity } from "./request-activity.ts";
import { readRequestInfo } from "./request-info.ts";
import { staggerWrites } from "./stagger-writes.ts";

/** Authenticates a request. Throws 401. */
export type Authenticate = (ctx: AppContext) => Promise<UserInfo>;
/** The impersonated user, if any. Throws 403. */
export type Impersonate = (ctx: AppContext) => Promise<UserInfo> | undefined;
/** Authorizes a request. Throws 403. Returns no promise if the decision is synchronous. */
export type Authorize = (ctx: AppContext) => Promise<void> | undefined;
/** Counts requests. */
export interface RequestObserver {
  begin(ctx: AppContext): void;
  end(ctx: AppContext, milliseconds: number): void;
}

/** Counts authentication attempts and authorization decisions. */
export interface AccessObserver {
  /** `user` is undefined if authentication failed. */
  authenticated(user: UserInfo | undefined, milliseconds: number): void;
  authorized(allowed: boolean, milliseconds: number): void;
}

export interface AppContextParts extends ErrorContext, DispatchContext {
  /** Allowed CORS origins. Empty disables CORS. */
  readonly allowedOrigins: readonly OriginTest[];
  readonly authenticate: Authenticate;
  readonly impersonate: Impersonate;
  /** Absent: nothing is audited. */
  readonly auditor: Auditor | undefined;
  readonly authorize: Authorize;
  readonly limits: InFlightLimits;
  /** Absent: requests beyond the limits are refused at once. */
  readonly queuing: QueueingContext | undefined;
  readonly requestTimeoutMs: number;
  readonly clock: Clock;
  readonly metrics: RequestObserver;
  readonly access: AccessObserver;
  /** Disturbs requests, for tests of clients. Absent in all other servers. */
  readonly disturb?: ((ctx: AppContext, next: Next) => Promise<void>) | undefined;
  /** Resolves when this process has received all changes that were acknowledged before; undefined if it already has. Absent if it always has. */
  readonly catchUp?: (() => Promise<void> | undefined) | undefined;
  /** Begins the span of a request. Absent if tracing is off. */
  readonly trace?: ((ctx: AppContext, next: Next) => Promise<void>) | undefined;
  /** Counts requests, for tests. Absent in all other servers. */
  readonly activity?: RequestActivity | undefined;
  readonly newUid: () => string;
  readonly monotonic: () => number;
}

/** Omits Koa's error listeners on every response and socket: Node's server already handles these errors. */
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

/** Assembles the server as an ordered list of small middleware functions. */
export function createApp(parts: AppContextParts): Koa<AppState> {
  const app = new App();
  app.silent = true;
  app.use(beginRequest(parts));
  if (parts.activity !== undefined) app.use(parts.activity.middleware);
  if (parts.queuing === undefined) app.use(staggerWrites());
  const { auditor, monotonic } = parts;
  if (auditor !== undefined) app.use(endTrail);
  app.use(renderErrors(parts));
  if (parts.allowedOrigins.length > 0) app.use(allowOrigins(parts.allowedOrigins));
  app.use(refuseUnclear);
  if (parts.catchUp !== undefined) app.use(catchUpFirst(parts.catchUp));
  app.use(authenticateWith(parts));
  if (parts.trace !== undefined) app.use(parts.trace);
  if (auditor !== undefined) app.use(beginTrail(auditor, monotonic));
  app.use(impersonateWith(parts));
  app.use(holdHeads(parts.arriving));
  app.use(limitTime(parts.requestTimeoutMs, parts.clock));
  app.use(parts.queuing === undefined ? limitInFlight(parts.limits) : queueRequests(parts.queuing));
  app.use(authorizeWith(parts));
  if (parts.disturb !== undefined) app.use(parts.disturb);
  app.use(dispatch(parts));
  return app;
}

/** Maximum length of an audit ID. Clients may choose the ID for audit events and the response. */
const AUDIT_ID_LIMIT = 1024;

/** Less than the limit for all headers, because selectors of anonymous requests are parsed too. */
const MAX_TARGET_LENGTH = 256 * 1024;

/** Rejects a request target without parsing it. */
function refuseTarget(koa: Koa.ParameterizedContext, status: "400 Bad Request" | "414 URI Too Long"): void {
  const closing = isHttp2(koa.req) ? {} : { Connection: "close" };
  rawResponse(koa)
    .writeHead(Number(status.slice(0, 3)), { "Content-Type": "text/plain; charset=utf-8", ...closing })
    .end(status);
}

/** Outermost middleware: parses the request once for all others. */
function beginRequest({ metrics, newUid, monotonic }: AppContextParts) {
  return async (koa: Koa.ParameterizedContext, next: Next): Promise<void> => {
    const { method = "", url = "/", headers } = koa.req;
    if (url.length > MAX_TARGET_LENGTH) return refuseTarget(koa, "414 URI Too Long");
    const info = readRequestInfo(method, url);
    if (info === undefined) return refuseTarget(koa, "400 Bad Request");
    // `OPTIONS *` only checks whether the server responds: it needs no authentication.
    if (info.path === "*" && method === "OPTIONS") {
      rawResponse(koa).writeHead(200, { "Content-Length": "0" }).end();
      return;
    }
    const started = monotonic();
    const { "audit-id": auditId } = headers;
    const state: Omit<AppState, "user" | "owner"> = {
      info,
      started,
      warnings: new Set(),
      auditId: typeof auditId === "string" && auditId !== "" ? auditId.slice(0, AUDIT_ID_LIMIT) : newUid(),
      annotations: undefined,
      trail: undefined,
      slot: undefined,
      limitMs: 0,
      cancel: undefined,
      waitedMs: 0,
      receivedBytes: undefined,
      sentBytes: 0,
      terminated: false,
    };
    koa.state = state;
    const ctx: AppContext = koa as never;
    metrics.begin(ctx);
    try {
      await next();
    } finally {
      metrics.end(ctx, monotonic() - started);
    }
  };
}

function refuseUnclear(ctx: AppContext, next: Next): Promise<unknown> {
  const { info } = ctx.state;
  if (info.isResource || info.unclear !== true) return next();
  const problem = `unable to determine kind and namespace from url, ${info.uri}`;
  throw new EarlyFailure(`failed to create RequestInfo: ${problem}`);
}

/** Waits until credentials, permissions, policies and kinds are at least as new as the last acknowledged write, whichever process served it. */
function catchUpFirst(catchUp: () => Promise<void> | undefined) {
  return (_: AppContext, next: Next): Promise<unknown> => {
    const reached = catchUp();
    return reached === undefined ? next() : reached.then(next);
  };
}

function authenticateWith(parts: AppContextParts) {
  const { authenticate, access, auditor, monotonic } = parts;
  const reasonKey = `${parts.naming.group("authentication")}/failure-reason`;
  return async (ctx: AppContext, next: Next): Promise<void> => {
    const began = monotonic();
    try {
      ctx.state.user = await authenticate(ctx);
    } catch (error) {
      access.authenticated(undefined, monotonic() - began);
      if (auditor !== undefined) beginUnauthenticatedTrail(ctx, error, { auditor, reasonKey, monotonic });
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
