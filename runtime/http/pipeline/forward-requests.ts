import type { IncomingMessage, ServerResponse } from "node:http";
import { posix } from "node:path";
import type { ForwardingContext } from "../../aggregation/forwarding-context.ts";
import { identityHeaders } from "../../aggregation/identity-headers.ts";
import { forwardedFor, requestHeaders } from "../../aggregation/passed-headers.ts";
import { escapePath } from "../../aggregation/percent-escape.ts";
import { proxyRequest } from "../../aggregation/proxy-request.ts";
import { proxyUpgrade } from "../../aggregation/proxy-upgrade.ts";
import type { RemoteVersion } from "../../aggregation/remote-versions.ts";
import type { Destination, OutgoingHead } from "../../aggregation/send-request.ts";
import type { RequestInfo } from "../../contract/request-info.ts";
import type { Address } from "../../values/service-address.ts";
import { hostPort } from "../../values/service-address.ts";
import { sendText, textNotFound } from "../respond/plain-text.ts";
import { sendBytes, setHeaders } from "../respond/send.ts";
import { type WaitingReaders, waitingRelay } from "../respond/waiting-readers.ts";
import { type AppContext, rawResponse, type UpgradeRequest } from "./app-state.ts";
import { isLongRunning } from "./limit-in-flight.ts";
import { trimSlashes } from "./trim-slashes.ts";

/** Returns a function that forwards a request to the extension server that serves it, or returns undefined if none does. */
export function forwardRequests(forwarding: ForwardingContext, relays: WaitingReaders) {
  const context = { ...forwarding, relays };
  return (ctx: AppContext): Promise<void> | undefined => {
    const { info } = ctx.state;
    const remote = context.ownerOf(info.path);
    if (remote === undefined) return undefined;
    return isReadAlike(info) ? proxyToVersion(ctx, remote, context) : textNotFound(ctx);
  };
}

/**
 * Whether every server interprets the path in the way in which it was authorized here. Many servers remove dot segments and empty segments
 * from a path first. Such paths are rejected, except in the part after a subresource that is itself a proxy.
 */
function isReadAlike(info: RequestInfo): boolean {
  const segments = trimSlashes(info.path).split("/");
  if (segments.includes(".") || segments.includes("..")) return false;
  return !info.isResource || !segments.slice(0, segments.length - info.rest.length).includes("");
}

const UNAVAILABLE = 503;
const BAD_GATEWAY = 502;
const DISCOVERY_MS = 5_000;

async function proxyToVersion(
  ctx: AppContext,
  remote: RemoteVersion,
  context: ForwardingContext & { readonly relays: WaitingReaders },
): Promise<void> {
  const { transport } = remote;
  if (!remote.available) return refuse(ctx, UNAVAILABLE, "service unavailable");
  if (typeof transport === "string") return refuse(ctx, 500, transport);
  let address: Address;
  try {
    address = context.addressOf(remote);
  } catch (problem) {
    context.onProblem(remote, problem);
    return refuse(ctx, UNAVAILABLE, "service unavailable");
  }
  const destination: Destination = { address, transport };
  const { upgrade } = ctx.req as UpgradeRequest;
  const { stopping } = context;
  const started = (status: number): void => {
    if (isLongRunning(ctx)) ctx.state.trail?.starts(status);
    else ctx.state.trail?.ends({ code: status });
  };
  const waiting = (cut: () => void) => waitingRelay(context.relays, ctx.state.owner, cut);
  const refusing = (status: number, text: string): void => void answerProblem(ctx, status, text);
  if (typeof upgrade === "object") {
    ctx.respond = false;
    const head = headOf(ctx, address, context, ["Connection", "Upgrade", "Upgrade", ctx.req.headers.upgrade ?? ""]);
    await proxyUpgrade(upgrade, head, destination, {
      timeoutMs: context.upgradeTimeoutMs,
      stopping,
      started,
      refuse: refusing,
      waiting,
    });
    return;
  }
  const res: ServerResponse = rawResponse(ctx);
  await proxyRequest(ctx.req as IncomingMessage, res, headOf(ctx, address, context), destination, {
    timeoutMs: asksWhatThereIs(ctx) ? DISCOVERY_MS : 0,
    rejectsRedirects: context.rejectsRedirects,
    stopping: isLongRunning(ctx) ? stopping : undefined,
    prepareAnswer(status) {
      started(status);
      setHeaders(ctx, { contentType: "" });
    },
    refuse: refusing,
    waiting,
    sent: (bytes) => {
      ctx.state.sentBytes += bytes;
    },
  });
}

function headOf(
  ctx: AppContext,
  address: Address,
  { headerRules, tellsUid }: ForwardingContext,
  more: readonly string[] = [],
): OutgoingHead {
  const { req, state } = ctx;
  const { method, path: decoded, queryText } = state.info;
  const path = escapePath(decoded);
  const from = forwardedFor(req);
  return {
    method,
    target: queryText === "" ? path : `${path}?${queryText}`,
    headers: [
      ...requestHeaders(req, headerRules),
      ...identityHeaders(state.user, tellsUid).flat(),
      ...["Audit-Id", state.auditId],
      ...["X-Forwarded-Host", hostPort(address), "X-Forwarded-Proto", "https"],
      ...["X-Forwarded-Uri", posix.normalize(path)],
      ...(from === undefined ? [] : ["X-Forwarded-For", from]),
      ...more,
    ],
  };
}

/** Whether this is `/apis/<group>/<version>`, discovery of a version, for which clients wait before they do anything else. */
function asksWhatThereIs({ state: { info } }: AppContext): boolean {
  return !info.isResource && info.path.split("/").filter((part) => part !== "").length === 3;
}

async function refuse(ctx: AppContext, status: number, text: string): Promise<void> {
  ctx.state.terminated = true;
  await sendText(ctx, status, `${text}\n`);
}

/** The text of a 502 response has no newline at its end. */
async function answerProblem(ctx: AppContext, status: number, text: string): Promise<void> {
  if (status !== BAD_GATEWAY) return sendText(ctx, status, `${text}\n`);
  await sendBytes(ctx, Buffer.from(text), { status, contentType: "text/plain; charset=utf-8", compress: false });
}
