import type { IncomingMessage, RequestListener } from "node:http";
import { type Duplex, duplexPair, Readable } from "node:stream";
import { clearTimeout, setTimeout } from "node:timers";

/** Has the signature of the global `fetch`. A path without a host is a path of this server. */
export type Fetch = typeof globalThis.fetch;

/** Sends requests from within the process: the same HTTP, over a pair of streams instead of a socket. */
export interface InMemoryTransport {
  fetch: Fetch;
  /** Aborts all running requests. Later requests are accepted. */
  cut(): void;
  /** Waits up to `graceMs` for running requests, then aborts the rest and responses that are not read. Rejects later requests. */
  close(graceMs: number): Promise<void>;
}

/** Status codes of responses without a body, whatever their headers say. */
const BODILESS = new Set([101, 204, 205, 304]);

/**
 * Creates a `fetch` that calls `handle` without a listening socket. Bodies stream with backpressure, and an abort also ends the request on
 * the server side.
 */
export function createInMemoryTransport(handle: RequestListener, baseUrl: () => string): InMemoryTransport {
  // Loaded with the first request: most servers never get requests this way.
  const { createServer, request: send } = process.getBuiltinModule("node:http");
  const connections = new Set<Duplex>();
  const underWay = new Set<Promise<void>>();
  const server = createServer((req, res) => {
    const answered = new Promise<void>((resolve) => res.once("finish", resolve).once("close", resolve));
    underWay.add(answered);
    void answered.then(() => underWay.delete(answered));
    handle(req, res);
  });
  let closed = false;

  const connect = (): Duplex => {
    const [near, far] = duplexPair();
    for (const [side, other] of [
      [near, far],
      [far, near],
    ] as const) {
      side.on("error", () => side.destroy());
      side.once("close", () => other.destroy());
    }
    connections.add(far);
    far.once("close", () => connections.delete(far));
    server.emit("connection", far);
    return near;
  };

  return {
    async fetch(input, init) {
      const request = new Request(typeof input === "string" ? new URL(input, baseUrl()) : input, init);
      const signal = signalOf(input, init);
      signal.throwIfAborted();
      if (closed) throw new TypeError("fetch failed", { cause: new Error("the server has stopped") });
      const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
      const { pathname, search, host } = new URL(request.url);
      const outgoing = send({
        method: request.method,
        path: pathname + search,
        headers: { host, ...Object.fromEntries(request.headers), ...(body && { "content-length": body.length }) },
        createConnection: connect,
      });
      return new Promise<Response>((resolve, reject) => {
        // Keeps `input` alive: the signal of a Request follows the caller's signal only until the Request is garbage-collected.
        const abort = (): void => void outgoing.destroy(signalOf(input, init).reason as Error);
        signal.addEventListener("abort", abort, { once: true });
        outgoing.once("close", () => signal.removeEventListener("abort", abort));
        const fail = (cause: unknown): void =>
          reject(signal.aborted ? signal.reason : new TypeError("fetch failed", { cause }));
        outgoing.on("error", fail);
        outgoing.once("response", (incoming) => {
          try {
            resolve(toResponse(incoming, signal));
          } catch (error) {
            // An extension server may respond with a status that `Response` does not support.
            incoming.destroy();
            fail(error);
          }
        });
        outgoing.end(body);
      });
    },
    cut() {
      for (const side of connections) side.destroy();
    },
    async close(graceMs) {
      closed = true;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs);
      });
      await Promise.race([Promise.all(underWay), late]);
      clearTimeout(timer);
      for (const side of connections) side.destroy();
    },
  };
}

/** The caller's signal. */
function signalOf(input: Parameters<Fetch>[0], init: Parameters<Fetch>[1]): AbortSignal {
  return init?.signal ?? (input instanceof Request ? input.signal : new AbortController().signal);
}

function toResponse(incoming: IncomingMessage, signal: AbortSignal): Response {
  const headers = new Headers();
  for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
    headers.append(incoming.rawHeaders[index] ?? "", incoming.rawHeaders[index + 1] ?? "");
  }
  const status = incoming.statusCode ?? 500;
  if (BODILESS.has(status)) {
    incoming.resume();
    return new Response(null, { status, headers });
  }
  // Passes the reason of an abort to the reader of the body.
  const abort = (): void => void incoming.destroy(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  incoming.once("close", () => signal.removeEventListener("abort", abort));
  return new Response(Readable.toWeb(incoming) as ReadableStream<Uint8Array>, { status, headers });
}
