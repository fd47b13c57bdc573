import type { Readable, Writable } from "node:stream";
import { clearImmediate, setImmediate } from "node:timers";
import { JoinedBytes } from "./joined-bytes.ts";

/** Is notified of bytes that the receiver of a relay does not read. */
export interface RelayWaiting {
  /** Called with the approximate memory of waiting bytes. */
  wait(bytes: number): void;
  /** Called when no bytes wait anymore. */
  resume(): void;
}

/** Pieces shorter than SHORT are joined up to JOINED bytes: each piece takes hundreds of bytes of memory and microseconds, however short it is. */
const SHORT = 1024;
const JOINED = 16 * 1024;
/** Memory in the buffers of both connections, as measured, besides the bytes passed to the receiver and their encrypted copy. */
const RESERVE = 256 * 1024;

/**
 * Copies a stream to another one at the pace of the receiver, and ends the receiver when the source ends. The caller handles errors of both streams.
 * The returned function stops copying.
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
