import type { WatchNotice } from "../../watch/watch-event.ts";
import { lengthOf } from "./frame-log.ts";
import type { WatchFramer } from "./watch-frames.ts";

/** Buffers to write to a connection in one call. */
export type Write = readonly Uint8Array[];

export interface JoinedFrames {
  readonly writes: readonly Write[];
  /** Length of each frame in bytes. */
  readonly sizes: readonly number[];
}

/**
 * Maximum size of a write, except for a larger single frame. The connection may copy a write, and the next one is made only when the client
 * has read it.
 */
const WRITE_BYTES = 64 * 1024;

interface Joined extends JoinedFrames {
  readonly notices: readonly WatchNotice[];
  readonly name: string | undefined;
}

/** Joins the frames of several notices into as few writes and buffers as possible. */
export class FrameJoiner {
  /** The result for the previous watch: the next watch usually needs the same. */
  #latest: Joined = { notices: [], name: undefined, writes: [], sizes: [] };

  join(notices: readonly WatchNotice[], framer: WatchFramer): JoinedFrames {
    const { name } = framer;
    if (name === undefined) return joinFrames(notices, framer);
    if (!isOf(this.#latest, notices, name)) this.#latest = { notices, name, ...joinFrames(notices, framer) };
    return this.#latest;
  }
}

function isOf(latest: Joined, notices: readonly WatchNotice[], name: string): boolean {
  if (latest.name !== name || latest.notices.length !== notices.length) return false;
  for (let index = 0; index < notices.length; index++) if (latest.notices[index] !== notices[index]) return false;
  return true;
}

/** Frames that are adjacent in memory become one buffer. */
function joinFrames(notices: readonly WatchNotice[], framer: WatchFramer): JoinedFrames {
  const writes: Write[] = [];
  const sizes: number[] = [];
  let write: Uint8Array[] = [];
  let bytes = 0;
  const endWrite = (): void => {
    if (write.length > 0) writes.push(write);
    write = [];
    bytes = 0;
  };
  for (const notice of notices) {
    const large = framer.pieces(notice);
    if (large !== undefined) {
      endWrite();
      writes.push(...writesOf(large));
      sizes.push(lengthOf(large));
      continue;
    }
    const frame = framer.frame(notice);
    if (bytes + frame.length > WRITE_BYTES) endWrite();
    const before = write.at(-1);
    if (before !== undefined && isNext(before, frame)) write[write.length - 1] = withNext(before, frame);
    else write.push(frame);
    bytes += frame.length;
    sizes.push(frame.length);
  }
  endWrite();
  return { writes: writes.flatMap((each) => (each.length === 1 ? writesOf(each) : [each])), sizes };
}

/** Writes each piece separately: pieces are large, or adjacent to a large one. */
export function writesOf(pieces: readonly Uint8Array[]): Write[] {
  return pieces.flatMap(portions).map((portion) => [portion]);
}

function portions(piece: Uint8Array): Uint8Array | Uint8Array[] {
  if (piece.length <= WRITE_BYTES) return piece;
  const count = Math.ceil(piece.length / WRITE_BYTES);
  return Array.from({ length: count }, (_, index) => piece.subarray(index * WRITE_BYTES, (index + 1) * WRITE_BYTES));
}

function isNext(before: Uint8Array, next: Uint8Array): boolean {
  return before.buffer === next.buffer && before.byteOffset + before.length === next.byteOffset;
}

function withNext(before: Uint8Array, next: Uint8Array): Uint8Array {
  return Buffer.from(before.buffer, before.byteOffset, before.length + next.length);
}
