import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { isHttp2 } from "./is-http2.ts";

/** Maximum number of requests that may wait on one connection behind an unfinished response, and the total size of their headers. */
const MAX_WAITING_REQUESTS = 100;
const MAX_WAITING_BYTES = 1024 * 1024;

interface Waiting {
  requests: number;
  bytes: number;
}

/** The response that an HTTP/1.1 connection is writing. Responses to pipelined requests wait behind it. */
export function unfinishedResponse(socket: Duplex): ServerResponse | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

/** Calls `action` when every response that has begun on a connection is finished. Never calls it if the connection is closed first. */
export function afterResponses(socket: Duplex, action: () => void): void {
  const unfinished = unfinishedResponse(socket);
  if (unfinished !== undefined) unfinished.once("finish", () => afterResponses(socket, action));
  else if (!socket.destroyed) action();
}

/**
 * Handles the requests of an HTTP/1.1 connection one after another, like Go's server: Node would start all pipelined requests at once.
 * Closes a connection that pipelines more than the limits.
 */
export function handleInOrder(handle: RequestListener): RequestListener {
  const waitingOn = new WeakMap<Duplex, Waiting>();
  return (req, res) => {
    // Node assigns the socket once the previous responses are finished.
    if (isHttp2(req) || res.socket !== null) {
      handle(req, res);
      return;
    }
    const { socket } = req;
    const waiting = waitingOn.get(socket) ?? { requests: 0, bytes: 0 };
    waitingOn.set(socket, waiting);
    const bytes = headerBytes(req);
    waiting.requests += 1;
    waiting.bytes += bytes;
    if (waiting.requests > MAX_WAITING_REQUESTS || waiting.bytes > MAX_WAITING_BYTES) {
      socket.destroy();
      return;
    }
    res.once("socket", () => {
      waiting.requests -= 1;
      waiting.bytes -= bytes;
      handle(req, res);
    });
  };
}

function headerBytes({ url = "", rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, text) => sum + text.length, url.length);
}
