import type { Log } from "../../lib/log.ts";
import type { RequestObserver } from "./app.ts";

/** Longer URIs and user agents are truncated in the log. */
const MAX_LENGTH = 2048;

/** Logs every request when it ends, with the fields of kube-apiserver's request log, and forwards it to `observer`. */
export function logRequests(observer: RequestObserver, log: Log): RequestObserver {
  return {
    begin: (ctx) => observer.begin(ctx),
    end(ctx, milliseconds) {
      observer.end(ctx, milliseconds);
      const { info, auditId } = ctx.state;
      const { remoteAddress, remotePort } = ctx.req.socket ?? {};
      log("info", "HTTP", {
        verb: info.verb === "" ? info.method : info.verb.toUpperCase(),
        URI: cut(info.uri),
        latency: `${milliseconds.toFixed(3)}ms`,
        userAgent: cut(ctx.req.headers["user-agent"] ?? ""),
        "audit-ID": auditId,
        srcIP: remoteAddress === undefined ? "" : `${remoteAddress}:${remotePort}`,
        ...(ctx.res.headersSent && { resp: ctx.res.statusCode }),
      });
    },
  };
}

function cut(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
