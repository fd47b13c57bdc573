import type { WatchNotice } from "../../watch/watch-event.ts";
import type { FlushRounds } from "./flush-rounds.ts";
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

/** Joins the frames of several notices, once for all watches of a round that send the same ones. */
export class FrameJoiner {
  readonly #rounds: FlushRounds;
  readonly #byFirst = new Map<WatchNotice, Joined[]>();
  /** What the watch before was sent: most often the next one is sent the same. */
  #latest: Joined | undefined;
  #keptBytes = 0;

  constructor(rounds: FlushRounds) {
    this.#rounds = rounds;
  }

  join(notices: readonly WatchNotice[], framer: WatchFramer): JoinedFrames {
    const first = notices[0];
    const { sharedName } = framer;
    if (first === undefined || sharedName === undefined) return concatenate(notices, framer);
    if (this.#latest !== undefined && isOf(this.#latest, notices, sharedName)) return this.#latest;
    const found = this.#byFirst.get(first);
    const same = found?.find((joined) => isOf(joined, notices, sharedName));
    const joined = same ?? { notices, sharedName, ...concatenate(notices, framer) };
    if (same === undefined) {
      if (!this.#mayKeep(joined)) return joined;
      if (found === undefined) this.#byFirst.set(first, [joined]);
      else found.push(joined);
    }
    this.#latest = joined;
    return joined;
  }

  #mayKeep({ sizes }: Joined): boolean {
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    if (!this.#rounds.isRunning || this.#keptBytes + bytes > MOST_KEPT_BYTES) return false;
    if (this.#keptBytes === 0) this.#rounds.onRoundEnd(() => this.#forget());
    this.#keptBytes += bytes;
    return true;
  }

  #forget(): void {
    this.#byFirst.clear();
    this.#latest = undefined;
    this.#keptBytes = 0;
  }
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
  return { pieces: pieces.flatMap(portions), sizes };
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
