import type { RequestInfo } from "../../contract/request-info.ts";
import type { FindHandler } from "../../handlers/handler.ts";
import { inSpan, withSpan } from "../../lib/trace-context.ts";
import type { Tracing } from "../../tracing/open-tracing.ts";
import type { Authorize } from "./app.ts";
import type { AppContext, Next } from "./app-state.ts";

/** Groups whose requests continue the client's trace. */
const TRUSTED = new Set(["system:masters", "system:monitoring"]);

/** Begins the span of a request. Runs after authentication, because only some users may continue a trace. */
export function traceRequests(tracing: Tracing, monotonic: () => number) {
  return async (ctx: AppContext, next: Next): Promise<void> => {
    const { info, started, user } = ctx.state;
    const { traceparent } = ctx.req.headers;
    const now = Date.now();
    const startTime = now - (monotonic() - started);
    const span = tracing.begin({
      name: spanName(info),
      attributes: {
        "http.method": info.method,
        "http.target": info.uri,
        "user_agent.original": String(ctx.req.headers["user-agent"] ?? ""),
        "audit-id": ctx.state.auditId,
      },
      traceparent: typeof traceparent === "string" ? traceparent : undefined,
      isTrusted: (user.groups ?? []).some((group) => TRUSTED.has(group)),
      startTime,
    });
    span.past("authentication", startTime, now);
    try {
      await withSpan(span, next);
    } catch (error) {
      span.fail(error);
      throw error;
    } finally {
      if (ctx.res.headersSent) span.status(ctx.res.statusCode);
      span.end();
    }
  };
}

/** Example: `GET /api/v1/namespaces/{:namespace}/pods/{:name}`. For other paths, only the method. */
function spanName(info: RequestInfo): string {
  if (!info.isResource) return info.method;
  const { group, version, namespace, resource, name, subresource } = info;
  const path = [
    group === "" ? "api" : `apis/${group}`,
    version,
    ...(namespace === "" ? [] : ["namespaces/{:namespace}"]),
    resource,
    ...(name === "" ? [] : ["{:name}"]),
    ...(subresource === "" ? [] : [subresource]),
  ];
  return `${info.method} /${path.join("/")}`;
}

export function traceAuthorization(authorize: Authorize): Authorize {
  return (ctx) =>
    inSpan("authorization", {}, async () => {
      await authorize(ctx);
    });
}

const NAMES: Readonly<Record<string, string>> = {
  create: "Create",
  get: "Get",
  list: "List",
  watch: "List",
  update: "Update",
  patch: "Patch",
  delete: "Delete",
  deletecollection: "Delete",
};

/** Wraps handlers in spans, which Kubernetes names by verb. */
export function traceHandlers(findHandler: FindHandler): FindHandler {
  return (route) => {
    const handler = findHandler(route);
    const name = NAMES[route.verb];
    if (handler === undefined || name === undefined) return handler;
    const { group, version, resource } = route.entry.descriptor;
    const attributes = {
      "api-group": group,
      "api-version": version,
      resource,
      subresource: route.subresource?.name ?? "",
      verb: route.verb,
    };
    return (request) => inSpan(name, attributes, () => handler(request));
  };
}
