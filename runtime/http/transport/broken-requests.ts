import type { RequestListener } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout } from "node:timers";
import { methodNotAllowed } from "../../values/status-errors.ts";
import { unfinishedResponse } from "./pipelined-requests.ts";
import { breakBody } from "./read-body.ts";
import { createUnknownMethods } from "./unknown-methods.ts";

/** Error of Node's server if it cannot parse a connection any further. */
export interface BrokenRequest extends Error {
  readonly code?: string;
  /** The data that the parser was given when it failed. */
  readonly rawPacket?: Buffer;
}

const UNKNOWN_METHOD = `${JSON.stringify(methodNotAllowed().status)}\n`;
/** How long the peer of a rejected request may continue to send before the connection is closed, so that it can read the response. */
const LINGER_MS = 500;

/**
 * Responds to requests that the HTTP/1.1 parser rejects, after the responses before them, and closes their connection. A method unknown to
 * Node is handled like any other.
 */
export function createBrokenRequests(handle: RequestListener): (error: BrokenRequest, socket: Duplex) => void {
  const answerMadeUp = createUnknownMethods(handle);
  const broken = new WeakSet<Duplex>();
  return (error, socket) => {
    // The parser reports its error again for all following data.
    if (broken.has(socket)) return;
    broken.add(socket);
    const { code = "", rawPacket } = error;
    if (!code.startsWith("HPE_") || !socket.writable) {
      socket.destroy();
      return;
    }
    socket.removeAllListeners("data");
    if (code === "HPE_INVALID_METHOD" && rawPacket !== undefined && answerMadeUp(rawPacket, socket)) return;
    socket.resume();
    socket.once("end", () => socket.end());
    endAfterResponses(socket, refusalOf(code));
  };
}

/**
 * Ends a connection with a refusal, after the responses before it. If the body of a request is broken, the response to that request is the
 * last one, and the refusal is not sent.
 */
function endAfterResponses(socket: Duplex, refusal: string): void {
  const unfinished = unfinishedResponse(socket);
  if (unfinished === undefined) {
    if (!socket.destroyed) close(socket, refusal);
    return;
  }
  if (unfinished.req.complete) {
    unfinished.once("finish", () => endAfterResponses(socket, refusal));
    return;
  }
  unfinished.once("finish", () => close(socket, ""));
  unfinished.shouldKeepAlive = false;
  breakBody(unfinished.req);
}

function close(socket: Duplex, last: string): void {
  socket.end(last);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Unknown methods get the same response as methods that a path does not support. */
function refusalOf(code: string): string {
  if (code === "HPE_INVALID_METHOD") {
    const length = Buffer.byteLength(UNKNOWN_METHOD);
    return `HTTP/1.1 405 Method Not Allowed\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n${UNKNOWN_METHOD}`;
  }
  const status = code === "HPE_HEADER_OVERFLOW" ? "431 Request Header Fields Too Large" : "400 Bad Request";
  return `HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`;
}
