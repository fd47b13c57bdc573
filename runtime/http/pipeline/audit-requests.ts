import type { TLSSocket } from "node:tls";
import type { Auditor } from "../../audit/auditor.ts";
import type { IncomingFacts } from "../../audit/request-trail.ts";
import { CredentialsError } from "../../contract/authentication.ts";
import type { UserInfo } from "../../contract/user-info.ts";
import { internalError } from "../../values/status-errors.ts";
import { sourceIps } from "../transport/source-ips.ts";
import type { AppContext, Next } from "./app-state.ts";
import { accessAttributes } from "./authorize-request.ts";
import { headerText } from "./credentials.ts";
import { isLongRunning } from "./limit-in-flight.ts";

const USER_AGENT_LIMIT = 1024;
const UNAUTHENTICATED: UserInfo = { name: "", groups: [] };

/** Runs around everything that responds. Writes the last audit event of a request, whatever its outcome. */
export async function endTrail(ctx: AppContext, next: Next): Promise<void> {
  try {
    await next();
  } finally {
    const code = ctx.res.headersSent ? ctx.res.statusCode : undefined;
    const written = ctx.state.trail?.completes(code, isLongRunning(ctx));
    if (written !== undefined) await written;
  }
}

/** Runs after authentication. Writes the first audit event. Throws 500 if the event must be stored and cannot be. */
export function beginTrail(auditor: Auditor, monotonic: () => number) {
  return async (ctx: AppContext, next: Next): Promise<void> => {
    const { user } = ctx.state;
    const trail = auditor.begin(accessAttributes(ctx, user, false), () => factsOf(ctx, user, auditor, monotonic));
    ctx.state.trail = trail;
    for (const [key, value] of Object.entries(ctx.state.annotations ?? {})) trail?.annotate(key, value);
    const written = trail?.received();
    if (written !== undefined && !(await written)) {
      auditor.rejected();
      throw internalError("failed to store audit event");
    }
    await next();
  };
}

const REASON_LIMIT = 1000;

/**
 * Records the rejection as the only event of a request that could not be authenticated. The annotation `reasonKey` contains the reason why
 * the credentials were refused, which the client does not receive.
 */
export function beginUnauthenticatedTrail(
  ctx: AppContext,
  error: unknown,
  { auditor, reasonKey, monotonic }: { auditor: Auditor; reasonKey: string; monotonic: () => number },
): void {
  const trail = auditor.begin(accessAttributes(ctx, UNAUTHENTICATED, false), () =>
    factsOf(ctx, undefined, auditor, monotonic),
  );
  ctx.state.trail = trail;
  trail?.ends({ message: attempted(ctx) });
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof CredentialsError) trail?.annotate(reasonKey, cause.detail.slice(0, REASON_LIMIT));
}

/** Describes which kinds of credentials the request has. */
function attempted({ req, state: { info } }: AppContext): string {
  const [scheme = "", ...others] = (req.headers.authorization ?? "").trim().split(" ");
  const found = [
    /^basic$/i.test(scheme) && isBasic(others.join(" ")) && "basic",
    /^bearer$/i.test(scheme) && others.length > 0 && "bearer",
    (info.query.get("access_token") ?? "").trim() !== "" && "access_token",
    (req.socket as Partial<TLSSocket>).getPeerX509Certificate?.() !== undefined && "x509",
  ].filter((each) => each !== false);
  return found.length === 0
    ? "Authentication failed, no credentials provided"
    : `Authentication failed, attempted: ${found.join(", ")}`;
}

const isBasic = (text: string): boolean => Buffer.from(text, "base64").includes(":");

function factsOf(
  { req, state }: AppContext,
  user: UserInfo | undefined,
  auditor: Auditor,
  monotonic: () => number,
): IncomingFacts {
  const { info } = state;
  const agent = req.headers["user-agent"] ?? "";
  return {
    auditID: state.auditId,
    requestURI: info.uri,
    verb: info.verb,
    user,
    sourceIPs: sourceIps(req),
    userAgent:
      agent.length > USER_AGENT_LIMIT
        ? `${headerText(agent.slice(0, USER_AGENT_LIMIT))}...TRUNCATED`
        : headerText(agent),
    requestReceived: auditor.micros() - Math.round((monotonic() - state.started) * 1000),
    ...(info.isResource && {
      objectRef: {
        resource: info.resource,
        namespace: info.namespace,
        name: info.name,
        uid: "",
        apiGroup: info.group,
        apiVersion: info.version,
        resourceVersion: "",
        subresource: info.subresource,
      },
    }),
  };
}
