import type { IncomingMessage } from "node:http";
import { clearTimeout, setTimeout } from "node:timers";
import { JoinedBytes } from "../../lib/joined-bytes.ts";
import { badRequest, requestEntityTooLarge, timeoutError } from "../../values/status-errors.ts";
import type { AppContext } from "../pipeline/app-state.ts";
import type { Budget } from "../pipeline/budget.ts";
import { refusal } from "../respond/refusal.ts";

/** Larger bodies are refused, as in Kubernetes. */
const BODY_LIMIT = 3 * 1024 * 1024;

/** Bytes charged for a request that waits for its body, in addition to the body. */
const WAITING_BYTES = 4 * 1024;

/**
 * Returns the body of a request. Releases the slot of the request while the body arrives, and takes one again afterwards. Throws 429 if no
 * slot is free then, or if too many bytes are arriving.
 */
export async function receiveBody(ctx: AppContext, arriving: Budget): Promise<Buffer> {
  const { req, state } = ctx;
  const arrived = wholeBody(req, BODY_LIMIT);
  if (arrived !== undefined) return arrived;
  const { owner, slot } = state;
  let held = 0;
  const hold = (bytes: number): void => {
    if (arriving.take(owner, bytes) !== undefined) throw refusal(ctx);
    held += bytes;
  };
  slot?.release();
  let body: Buffer;
  try {
    hold(WAITING_BYTES);
    body = await readBody(req, {
      onBytes: hold,
      onWait: (cancel) => {
        state.cancel = cancel;
      },
    });
  } finally {
    state.cancel = undefined;
    arriving.giveBack(owner, held);
  }
  if (slot !== undefined && !(await slot.retake())) throw refusal(ctx);
  return body;
}

export interface ReadOptions {
  readonly limit?: number;
  /** Called with the number of bytes that have arrived. Throws if there are too many. */
  readonly onBytes?: (bytes: number) => void;
  /** Called with a function that ends the wait with 504. */
  readonly onWait?: (cancel: () => void) => void;
}

/** Reads a whole body. Rejects with 413 if it is longer than `limit`. */
export function readBody(req: IncomingMessage, options: ReadOptions = {}): Promise<Buffer> {
  const { limit = BODY_LIMIT, onBytes, onWait } = options;
  const announced = Number(req.headers["content-length"] ?? 0);
  if (announced > limit) {
    discardRest(req);
    return Promise.reject(tooLarge(limit));
  }
  const arrived = wholeBody(req, limit);
  if (arrived !== undefined) return Promise.resolve(arrived);
  if (isCutShort(req)) return Promise.reject(badRequest("unexpected EOF"));
  return new Promise((resolve, reject) => {
    const body = new JoinedBytes();
    const refuse = (error: unknown): void => {
      finish(() => reject(error));
      discardRest(req);
    };
    onWait?.(() => refuse(timeoutError("the body of the request did not arrive in time", 1)));
    const finish = (settle: () => void): void => {
      req.off("data", onData);
      req.off("end", onEnd);
      req.off("close", onClose);
      req.off(BROKEN, onClose);
      settle();
    };
    const onData = (chunk: Buffer): void => {
      try {
        if (body.length + chunk.length > limit) throw tooLarge(limit);
        onBytes?.(chunk.length);
      } catch (error) {
        refuse(error);
        return;
      }
      body.add(chunk);
    };
    const onEnd = (): void => {
      if (isCutShort(req)) onClose();
      else finish(() => resolve(body.joined()));
    };
    // Usually the client has disconnected: logs then show an aborted request, not a server error.
    const onClose = (): void => finish(() => reject(badRequest("unexpected EOF")));
    req.on("data", onData);
    req.once("end", onEnd);
    req.once("error", onClose);
    req.once("close", onClose);
    req.once(BROKEN, onClose);
  });
}

/** Returns the body if it has already arrived, as most bodies have; undefined if not. */
function wholeBody(req: IncomingMessage, limit: number): Buffer | undefined {
  if (!req.complete || req.readableLength > limit || isCutShort(req)) return undefined;
  return req.readableLength === 0 ? NOTHING : ((req.read() as Buffer | null) ?? undefined);
}

const NOTHING = Buffer.alloc(0);

const BROKEN = Symbol("broken");
const broken = new WeakSet<IncomingMessage>();

/** Marks the rest of a body as unreadable: its reader gets 400. */
export function breakBody(req: IncomingMessage): void {
  broken.add(req);
  req.emit(BROKEN);
}

/** Whether the body is incomplete. An aborted HTTP/2 stream looks as if it had ended. */
function isCutShort(req: IncomingMessage): boolean {
  return broken.has(req) || (req as { readonly stream?: { readonly aborted: boolean } }).stream?.aborted === true;
}

/** Releases the slot of a request whose body is forwarded as it arrives, until the body is complete. */
export function leaveSlotForBody({ req, state: { slot } }: AppContext): void {
  if (slot === undefined || req.complete) return;
  slot.release();
  req.once("end", () => slot.resume());
}

/** Limits for reading a rejected body, in bytes and in time. */
const DISCARD_BYTES = 64 * 1024 * 1024;
const DISCARD_MS = 10_000;

/** Reads and drops the rest of a body, within limits: most clients read the response only after they have sent the whole body. */
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
