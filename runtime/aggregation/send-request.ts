import type { Agent, ClientRequest } from "node:http";
import type { Socket } from "node:net";
import { isIP } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";
import { currentTraceparent } from "../lib/trace-context.ts";
import { paceAnswer } from "../outbound/paced-answer.ts";
import { type Address, hostPort } from "../values/service-address.ts";
import type { RemoteTransport } from "./remote-transport.ts";

/** The head of a forwarded request. */
export interface OutgoingHead {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Alternating names and values. */
  readonly headers: readonly string[];
}

/** The server that receives the request. */
export interface Destination {
  readonly address: Address;
  readonly transport: Transport;
  /** `https` by default. */
  readonly scheme?: "http" | "https";
  /** The Host header; by default address and port. */
  readonly hostHeader?: string;
  /** Connect timeout in milliseconds; 30 seconds by default. */
  readonly dialMs?: number;
}

/** Connections to a server, and the name that its certificate must contain. */
export interface Transport {
  readonly agent: Agent;
  readonly options: Pick<RemoteTransport["options"], "serverName">;
}

/** Limit of response headers. Larger ones are an error. */
const MAX_HEADER_BYTES = 1024 * 1024;
const DIAL_MS = 30_000;

/** Starts a request to another server. The caller sends the body. Throws if a header is invalid. */
export function sendRequest(head: OutgoingHead, destination: Destination): ClientRequest {
  const { address, transport, scheme = "https", hostHeader = hostPort(address), dialMs = DIAL_MS } = destination;
  const { serverName } = transport.options;
  const outgoing = process.getBuiltinModule(scheme === "http" ? "node:http" : "node:https").request({
    agent: transport.agent,
    ...(scheme === "https" && isIP(serverName) === 0 && { servername: serverName }),
    host: address.host,
    port: address.port,
    method: head.method,
    path: head.target,
    headers: ["Host", hostHeader, ...traced(head.headers)],
    setDefaultHeaders: false,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  paceAnswer(outgoing);
  limitConnecting(outgoing, hostPort(address), dialMs);
  return outgoing;
}

/** Replaces the client's trace context by that of the current request. */
function traced(headers: readonly string[]): readonly string[] {
  const trace = currentTraceparent();
  if (trace === undefined) return headers;
  const kept = headers.filter((_, index) => headers[index - (index % 2)]?.toLowerCase() !== "traceparent");
  return [...kept, "traceparent", trace];
}

/** Sets a connect timeout, with the error message of Go. */
function limitConnecting(outgoing: ClientRequest, where: string, dialMs: number): void {
  const timer = setTimeout(() => outgoing.destroy(new Error(`dial tcp ${where}: i/o timeout`)), dialMs);
  timer.unref();
  const done = (): void => clearTimeout(timer);
  outgoing.once("close", done);
  outgoing.once("socket", (socket: Socket) => {
    if (socket.connecting) socket.once("connect", done);
    else done();
  });
}
