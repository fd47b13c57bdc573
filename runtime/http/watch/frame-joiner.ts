import type { WatchNotice } from "../../watch/watch-event.ts";
import type { FlushRounds } from "./flush-rounds.ts";
import { FrameTape } from "./frame-tape.ts";
import type { WatchFramer } from "./watch-frames.ts";

/** Frames one after the other in as few pieces as are worth a copy, none too large for one write, and how long each frame is. */
export interface JoinedFrames {
  readonly pieces: readonly Uint8Array[];
  readonly sizes: readonly number[];
}

interface Joined extends JoinedFrames {
  readonly notices: readonly WatchNotice[];
  readonly sharedName: string;
}

/** Largest piece: the connection may copy it, and the next is handed over when the reader has taken it. */
const PIECE_BYTES = 64 * 1024;
/** Most bytes that are kept of one round: the initial lists of many new watches are long, and no two watches share them. */
const MOST_KEPT_BYTES = 4 * 1024 * 1024;

/**
 * Joins the frames of several notices. Watches of one round that send the same events share the bytes, also if one of them sends a few events
 * more or begins later than another.
 */
export class FrameJoiner {
  readonly #rounds: FlushRounds;
  /** Which tapes of this round a notice is on. */
  readonly #tapes = new Map<WatchNotice, FrameTape[]>();
  /** What the watch before was sent: most often the next one is sent the same. */
  #latest: Joined | undefined;
  #keptBytes = 0;

  constructor(rounds: FlushRounds) {
    this.#rounds = rounds;
  }

  join(notices: readonly WatchNotice[], framer: WatchFramer): JoinedFrames {
    const [first] = notices;
    const { sharedName } = framer;
    if (first === undefined || sharedName === undefined) return concatenate(notices, framer);
    if (this.#latest !== undefined && isOf(this.#latest, notices, sharedName)) return this.#latest;
    const frames = notices.length === 1 ? undefined : smallFrames(notices, framer);
    if (frames === undefined || !this.#rounds.isRunning) return concatenate(notices, framer);
    const shared = this.#onTape(notices, frames, sharedName);
    if (shared === undefined) return concatenate(notices, framer);
    this.#latest = { notices, sharedName, pieces: split([shared]), sizes: frames.map(({ length }) => length) };
    return this.#latest;
  }

  #onTape(notices: readonly WatchNotice[], frames: readonly Uint8Array[], sharedName: string): Uint8Array | undefined {
    const first = notices[0] as WatchNotice;
    for (const tape of this.#tapes.get(first) ?? []) {
      const known = tape.length;
      const run = tape.sharedName === sharedName ? tape.run(notices, frames) : undefined;
      if (run === undefined) continue;
      this.#index(tape, known);
      return run;
    }
    const tape = new FrameTape(sharedName, frames);
    if (this.#keptBytes + tape.bytes > MOST_KEPT_BYTES) return undefined;
    if (this.#keptBytes === 0) this.#rounds.onRoundEnd(() => this.#forget());
    this.#keptBytes += tape.bytes;
    const run = tape.run(notices, frames);
    this.#index(tape, 0);
    return run;
  }

  #index(tape: FrameTape, from: number): void {
    for (let index = from; index < tape.length; index++) {
      const notice = tape.noticeAt(index);
      const tapes = this.#tapes.get(notice);
      if (tapes === undefined) this.#tapes.set(notice, [tape]);
      else tapes.push(tape);
    }
  }

  #forget(): void {
    this.#tapes.clear();
    this.#latest = undefined;
    this.#keptBytes = 0;
  }
}

/** Undefined if one of them is large: it is sent in pieces, without a copy. */
function smallFrames(notices: readonly WatchNotice[], framer: WatchFramer): Uint8Array[] | undefined {
  const frames: Uint8Array[] = [];
  for (const notice of notices) {
    if (framer.pieces(notice) !== undefined) return undefined;
    frames.push(framer.frame(notice));
  }
  return frames;
}

function concatenate(notices: readonly WatchNotice[], framer: WatchFramer): JoinedFrames {
  const pieces: Uint8Array[] = [];
  const sizes: number[] = [];
  let small: Uint8Array[] = [];
  for (const notice of notices) {
    const large = framer.pieces(notice);
    if (large === undefined) {
      const frame = framer.frame(notice);
      small.push(frame);
      sizes.push(frame.length);
      continue;
    }
    if (small.length > 0) pieces.push(joined(small));
    small = [];
    pieces.push(...large);
    sizes.push(large.reduce((sum, { length }) => sum + length, 0));
  }
  if (small.length > 0) pieces.push(joined(small));
  return { pieces: split(pieces), sizes };
}

function split(pieces: readonly Uint8Array[]): Uint8Array[] {
  return pieces.flatMap(portions);
}

/** Parts of a piece that one write takes. */
export function portions(piece: Uint8Array): Uint8Array | Uint8Array[] {
  if (piece.length <= PIECE_BYTES) return piece;
  const count = Math.ceil(piece.length / PIECE_BYTES);
  return Array.from({ length: count }, (_, index) => piece.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES));
}

function joined(frames: readonly Uint8Array[]): Uint8Array {
  const [first] = frames;
  return frames.length === 1 && first !== undefined ? first : Buffer.concat(frames);
}

function isOf(joined: Joined, notices: readonly WatchNotice[], sharedName: string): boolean {
  if (joined.notices.length !== notices.length) return false;
  for (let index = 0; index < notices.length; index++) if (joined.notices[index] !== notices[index]) return false;
  return joined.sharedName === sharedName;
}
