import type { IncomingMessage } from "node:http";
import { badRequest, requestEntityTooLarge, timeoutError } from "../contract/status.ts";

/** Bodies beyond this are refused, as Kubernetes does. */
export const BODY_LIMIT = 3 * 1024 * 1024;

/** Reads a whole body, at most `limit` bytes of it. A client that stops sending is given up after `timeoutMs`. */
export function readBody(req: IncomingMessage, limit = BODY_LIMIT, timeoutMs = 60_000): Promise<Buffer> {
  const announced = Number(req.headers["content-length"] ?? 0);
  if (announced > limit) {
    discardRest(req);
    return Promise.reject(tooLarge(limit));
  }
  const arrived = wholeBody(req, limit);
  if (arrived !== undefined) return Promise.resolve(arrived);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const timer = setTimeout(
      () => finish(() => reject(timeoutError("the body of the request did not arrive in time", 1))),
      timeoutMs,
    );
    timer.unref();
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      req.off("data", onData);
      req.off("end", onEnd);
      req.off("close", onClose);
      settle();
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > limit) {
        finish(() => reject(tooLarge(limit)));
        discardRest(req);
        return;
      }
      chunks.push(chunk);
      timer.refresh();
    };
    const onEnd = (): void =>
      finish(() => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, bytes)));
    // Nobody hears the answer; for the log it is a request that was cut short, not a fault of the server.
    const onClose = (): void => finish(() => reject(badRequest("unexpected EOF")));
    req.on("data", onData);
    req.once("end", onEnd);
    req.once("error", onClose);
    req.once("close", onClose);
  });
}

/** Most bodies are there by the time somebody asks for them: nothing is waited for then. */
function wholeBody(req: IncomingMessage, limit: number): Buffer | undefined {
  if (!req.complete || req.readableLength === 0 || req.readableLength > limit) return undefined;
  return (req.read() as Buffer | null) ?? undefined;
}

/** What is read of a body after it was refused, and for how long. */
const DISCARD_BYTES = 64 * 1024 * 1024;
const DISCARD_MS = 10_000;

/** Most clients read their answer only when they have sent everything: lets them, unless they go on and on. */
function discardRest(req: IncomingMessage): void {
  let left = DISCARD_BYTES;
  const timer = setTimeout(() => req.destroy(), DISCARD_MS);
  timer.unref();
  req.once("close", () => clearTimeout(timer));
  req.once("end", () => clearTimeout(timer));
  req.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) req.destroy();
  });
}

function tooLarge(limit: number) {
  return requestEntityTooLarge(`limit is ${limit}`);
}
