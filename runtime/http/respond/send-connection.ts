import type { IncomingMessage, ServerResponse } from "node:http";
import { forwardedFor, type HeaderRules, requestHeaders } from "../../aggregation/passed-headers.ts";
import { escapePath } from "../../aggregation/percent-escape.ts";
import { type PassingOptions, proxyRequest } from "../../aggregation/proxy-request.ts";
import { proxyUpgrade } from "../../aggregation/proxy-upgrade.ts";
import { type Destination, type OutgoingHead, sendRequest } from "../../aggregation/send-request.ts";
import type { StatusError, StatusReason } from "../../contract/status.ts";
import { connectionFailure } from "../../go/network-error.ts";
import type { ConnectionAnswer } from "../../handlers/answer.ts";
import { relay } from "../../lib/relay.ts";
import type { ConnectionTarget } from "../../nodes/connection-target.ts";
import type { NodeTransports } from "../../nodes/node-transports.ts";
import { hostPort } from "../../values/service-address.ts";
import { badRequest, failure, internalError, plainFailure, serviceUnavailable } from "../../values/status-errors.ts";
import { type AppContext, rawResponse, type UpgradeRequest } from "../pipeline/app-state.ts";
import { cutShort, sendBytes, setHeaders } from "./send.ts";
import { type WaitingReaders, waitingRelay } from "./waiting-readers.ts";

/** Dependencies of connections to nodes, pods and services. */
export interface ConnectionContext {
  readonly transports: NodeTransports;
  readonly headerRules: HeaderRules;
  /** Timeout for connecting, and for the response to a protocol upgrade. */
  readonly timeoutMs: number;
  readonly stopping: AbortSignal;
  /** Connections, one side of which does not read. */
  readonly relays: WaitingReaders;
}

/** Connects to a node, a pod or a service and streams its response. Throws a StatusError if it cannot be reached. */
export async function sendConnection(
  ctx: AppContext,
  answer: ConnectionAnswer,
  context: ConnectionContext,
): Promise<void> {
  const { mode, target } = answer;
  const waiting = (cut: () => void) => waitingRelay(context.relays, ctx.state.owner, cut);
  const destination = destinationOf(target, context);
  if (mode === "log") return streamLog(ctx, target, destination, context);
  const { upgrade } = ctx.req as UpgradeRequest;
  if (typeof upgrade === "object") {
    ctx.respond = false;
    const head = headOf(ctx, target, context, ["Connection", "Upgrade", "Upgrade", ctx.req.headers.upgrade ?? ""]);
    await proxyUpgrade(upgrade, head, destination, {
      timeoutMs: context.timeoutMs,
      stopping: context.stopping,
      started: (status) => ctx.state.trail?.starts(status),
      refuse: (_status, text) => void refuse(ctx, plainFailure(text)),
      waiting,
    });
    return;
  }
  if (mode === "upgrade") throw badRequest("Upgrade request required");
  const options: PassingOptions = {
    timeoutMs: 0,
    rejectsRedirects: target.trust !== "proxy",
    stopping: context.stopping,
    prepareAnswer(status) {
      ctx.state.trail?.starts(status);
      setHeaders(ctx, { contentType: "" });
    },
    refuse: (_status, text) => void refuse(ctx, serviceUnavailable(text)),
    sent: (bytes) => {
      ctx.state.sentBytes += bytes;
    },
    waiting,
    rewriteLocation: (location) => rewriteLocation(location, target, answer.prefix ?? ""),
  };
  await proxyRequest(ctx.req as IncomingMessage, rawResponse(ctx), headOf(ctx, target, context), destination, options);
}

function destinationOf(target: ConnectionTarget, { transports, timeoutMs }: ConnectionContext): Destination {
  return {
    address: { host: target.address ?? target.host, port: target.port },
    transport: { agent: transports.agentFor(target), options: { serverName: target.host } },
    scheme: target.scheme,
    hostHeader: hostPort(target),
    dialMs: timeoutMs,
  };
}

function pathOf({ path, query }: ConnectionTarget): string {
  return query === "" ? escapePath(path) : `${escapePath(path)}?${query}`;
}

function headOf(
  ctx: AppContext,
  target: ConnectionTarget,
  { headerRules }: ConnectionContext,
  more: readonly string[] = [],
): OutgoingHead {
  const { req, state } = ctx;
  const from = forwardedFor(req);
  return {
    method: state.info.method,
    target: pathOf(target),
    headers: [
      ...requestHeaders(req, headerRules),
      ...["X-Forwarded-Uri", escapePath(state.info.path), "X-Forwarded-Host", String(req.headers.host ?? "")],
      ...["X-Forwarded-Proto", "https"],
      ...(from === undefined ? [] : ["X-Forwarded-For", from]),
      ...more,
    ],
  };
}

/** Sends a Status after the handler has returned. */
async function refuse(ctx: AppContext, { status }: StatusError): Promise<void> {
  const body = Buffer.from(JSON.stringify(status));
  await sendBytes(ctx, body, { status: status.code ?? 500, contentType: "application/json", compress: false });
}

/** Rewrites the location of a redirect to a path below that of the proxy, if it leads to the target itself. */
function rewriteLocation(location: string, target: ConnectionTarget, prefix: string): string {
  const base = `${target.scheme}://${hostPort(target)}`;
  if (!URL.canParse(location, `${base}${escapePath(target.path)}`)) return location;
  const url = new URL(location, `${base}${escapePath(target.path)}`);
  if (url.origin !== new URL(base).origin) return location;
  const path = url.pathname.startsWith(`${prefix}/`) ? url.pathname : `${prefix}${url.pathname}`;
  return `${path}${url.search}${url.hash}`;
}

/** Maximum number of bytes to read of an error response. */
const MAX_ERROR_BYTES = 50_000;

/** Streams a log from a kubelet as plain text. */
async function streamLog(
  ctx: AppContext,
  target: ConnectionTarget,
  destination: Destination,
  { stopping, relays }: ConnectionContext,
): Promise<void> {
  const res = ctx.res;
  const outgoing = sendRequest({ method: "GET", target: pathOf(target), headers: [] }, destination);
  const cut = (): void => void outgoing.destroy();
  stopping.addEventListener("abort", cut, { once: true });
  res.once("close", cut);
  try {
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once("response", resolve);
      outgoing.once("upgrade", (_answer, socket) => {
        socket.destroy();
        reject(new Error("unexpected switch of protocols"));
      });
      outgoing.once("error", reject);
      outgoing.end();
    }).catch((error: Error) => {
      const url = `https://${hostPort(target)}${pathOf(target)}`;
      throw plainFailure(`Get "${url}": ${connectionFailure(error, target.host)}`);
    });
    outgoing.on("error", () => undefined);
    const { statusCode = 0 } = incoming;
    if (statusCode < 200 || statusCode > 206) throw await kubeletError(ctx, incoming, target);
    await copyText(ctx, incoming, relays);
  } finally {
    stopping.removeEventListener("abort", cut);
    res.off("close", cut);
    outgoing.destroy();
  }
}

/** Copies the body as fast as the client reads. If the log breaks off, the response must not look complete to the client. */
function copyText(ctx: AppContext, incoming: IncomingMessage, relays: WaitingReaders): Promise<void> {
  setHeaders(ctx, { contentType: "text/plain" });
  const res: ServerResponse = rawResponse(ctx);
  ctx.state.trail?.starts(200);
  res.writeHead(200);
  res.flushHeaders();
  return new Promise((resolve) => {
    incoming.on("data", (chunk: Buffer) => {
      ctx.state.sentBytes += chunk.length;
    });
    incoming.on("error", () => undefined);
    incoming.once("close", () => {
      if (!incoming.complete) res.destroy();
      resolve();
    });
    res.once("close", resolve);
    relay(
      incoming,
      res,
      waitingRelay(relays, ctx.state.owner, () => cutShort(res)),
    );
  });
}

async function kubeletError(
  ctx: AppContext,
  incoming: IncomingMessage,
  target: ConnectionTarget,
): Promise<StatusError> {
  const { statusCode = 0 } = incoming;
  if (statusCode >= 300 && statusCode <= 399) {
    incoming.destroy();
    return plainFailure(`Get "https://${hostPort(target)}${pathOf(target)}": redirects forbidden`);
  }
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      parts.push(chunk);
      length += chunk.length;
      if (length >= MAX_ERROR_BYTES) break;
    }
  } catch (error) {
    return internalError((error as Error).message);
  }
  const text = Buffer.concat(parts).subarray(0, MAX_ERROR_BYTES).toString("utf8");
  if (statusCode === 500) return internalError(text);
  if (statusCode === 400) return badRequest(text);
  const { info } = ctx.state;
  const name = info.isResource ? info.name : "";
  const what = statusCode === 404 ? "the server could not find the requested resource" : GENERIC;
  const reason = REASONS[statusCode] ?? "";
  return failure(statusCode, reason, `${what} ( pods/log ${name})`, {
    name,
    kind: "pods/log",
    causes: [{ reason: "UnexpectedServerResponse", message: text }],
  });
}

const GENERIC = "the server rejected our request for an unknown reason";
const REASONS: Readonly<Record<number, StatusReason>> = {
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  429: "TooManyRequests",
  503: "ServiceUnavailable",
};
