import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { isHttp2 } from "./is-http2.ts";

/** Requests that may wait on one connection behind an unfinished response, and the size of their headers. */
const MAX_WAITING_REQUESTS = 100;
const MAX_WAITING_BYTES = 1024 * 1024;

interface Waiting {
  requests: number;
  bytes: number;
}

/** The response that a connection of HTTP/1.1 is writing; the responses to pipelined requests wait behind it. */
export function unfinishedResponse(socket: Duplex): ServerResponse | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

/** Calls back when every response that was begun on a connection is finished; never if the connection is closed first. */
export function afterResponses(socket: Duplex, action: () => void): void {
  const unfinished = unfinishedResponse(socket);
  if (unfinished !== undefined) unfinished.once("finish", () => afterResponses(socket, action));
  else if (!socket.destroyed) action();
}

/**
 * Handles the requests of one HTTP/1.1 connection one after another, as Go's server does: Node would start all pipelined
 * requests at once. A connection that pipelines more than the limits is closed.
 */
export function handleInOrder(handle: RequestListener): RequestListener {
  const waitingOn = new WeakMap<Duplex, Waiting>();
  return (req, res) => {
    // Node assigns the socket when the responses before this one are finished.
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
