import type { Readable, Writable } from "node:stream";
import { JoinedBytes } from "./joined-bytes.ts";

/** Told about bytes that the receiver of a relay does not take. */
export interface RelayWaiting {
  /** About so many bytes of memory wait. */
  wait(bytes: number): void;
  /** Nothing waits any more. */
  resume(): void;
}

/** Shorter pieces are joined, up to the second length: a piece takes hundreds of bytes and microseconds, however short it is. */
const SHORT = 1024;
const JOINED = 16 * 1024;
/** What waits in the buffers of both connections, as measured, besides what the receiver was given and its encrypted copy. */
const RESERVE = 256 * 1024;

/**
 * Copies a stream to another, at the pace of the receiver, and ends the receiver with it. Errors of both are left to the caller.
 * The returned function ends the copying.
 */
export function relay(from: Readable, to: Writable, waiting: RelayWaiting): () => void {
  let joined = new JoinedBytes();
  let flushing: NodeJS.Immediate | undefined;
  let isBehind = false;

  const fallBehind = (): void => {
    isBehind = true;
    from.pause();
    waiting.wait(RESERVE + 2 * to.writableLength);
  };
  const write = (bytes: Buffer): void => {
    if (!to.write(bytes) && !isBehind) fallBehind();
  };
  const flush = (): void => {
    clearImmediate(flushing);
    flushing = undefined;
    if (joined.length === 0) return;
    const bytes = joined.joined();
    joined = new JoinedBytes();
    write(bytes);
  };
  const take = (piece: Buffer): void => {
    if (piece.length < SHORT) {
      joined.add(piece);
      if (joined.length >= JOINED) flush();
      else flushing ??= setImmediate(flush);
      return;
    }
    flush();
    write(piece);
  };
  const goOn = (): void => {
    if (!isBehind) return;
    isBehind = false;
    waiting.resume();
    from.resume();
  };
  const end = (): void => {
    flush();
    to.end();
  };
  const stop = (): void => {
    clearImmediate(flushing);
    from.off("data", take);
    from.off("end", end);
    to.off("drain", goOn);
    to.off("close", stop);
    if (isBehind) waiting.resume();
    isBehind = false;
  };

  from.on("data", take);
  from.once("end", end);
  to.on("drain", goOn);
  to.once("close", stop);
  // What was written before, such as the head of a response.
  if (to.writableNeedDrain) fallBehind();
  else from.resume();
  return stop;
}
