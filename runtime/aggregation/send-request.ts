import type { ClientRequest } from "node:http";
import type { Socket } from "node:net";
import type { Address } from "../values/service-address.ts";
import type { RemoteTransport } from "./remote-transport.ts";

/** The head of a forwarded request. */
export interface OutgoingHead {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
}

/** The server that it is sent to. */
export interface Destination {
  readonly address: Address;
  readonly transport: RemoteTransport;
}

/** Larger response headers are an error. */
const MAX_HEADER_BYTES = 1024 * 1024;
const DIAL_MS = 30_000;

/** Starts a request to another server; the caller sends the body. Throws if a header is invalid. */
export function sendRequest(head: OutgoingHead, { address, transport }: Destination): ClientRequest {
  const where = hostPort(address);
  const outgoing = process.getBuiltinModule("node:https").request({
    agent: transport.agent,
    host: address.host,
    port: address.port,
    method: head.method,
    path: head.target,
    headers: ["Host", where, ...head.headers],
    setDefaultHeaders: false,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  limitConnecting(outgoing, where);
  return outgoing;
}

/** Connect timeout, with the error message of Go. */
function limitConnecting(outgoing: ClientRequest, where: string): void {
  outgoing.once("socket", (socket: Socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => outgoing.destroy(new Error(`dial tcp ${where}: i/o timeout`)), DIAL_MS);
    timer.unref();
    const done = (): void => clearTimeout(timer);
    socket.once("secureConnect", done);
    socket.once("close", done);
  });
}

export function hostPort({ host, port }: Address): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
