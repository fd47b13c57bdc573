import type { WatchNotice } from "../watch/watch-event.ts";
import type { FlushRounds } from "./flush-rounds.ts";
import type { WatchFramer } from "./watch-frames.ts";

/** Frames in one piece, and how long each of them is. */
export interface JoinedFrames {
  readonly bytes: Uint8Array;
  readonly sizes: readonly number[];
}

interface Joined extends JoinedFrames {
  readonly notices: readonly WatchNotice[];
  readonly sharedName: string;
}

/** What is kept of one round at most: the first lists of many new watches are long, and no two share theirs. */
const MOST_KEPT_BYTES = 4 * 1024 * 1024;

/** Joins the frames of several notices, once for all watches of a round that send the same ones. */
export class FrameJoiner {
  readonly #rounds: FlushRounds;
  readonly #byFirst = new Map<WatchNotice, Joined[]>();
  #keptBytes = 0;

  constructor(rounds: FlushRounds) {
    this.#rounds = rounds;
  }

  join(notices: readonly WatchNotice[], framer: WatchFramer): JoinedFrames {
    const [first] = notices;
    const { sharedName } = framer;
    if (first === undefined || notices.length === 1 || sharedName === undefined) return concatenate(notices, framer);
    const found = this.#byFirst.get(first);
    const same = found?.find((joined) => joined.sharedName === sharedName && areSame(joined.notices, notices));
    if (same !== undefined) return same;
    const joined = { notices, sharedName, ...concatenate(notices, framer) };
    if (!this.#mayKeep(joined)) return joined;
    if (found === undefined) this.#byFirst.set(first, [joined]);
    else found.push(joined);
    return joined;
  }

  #mayKeep({ bytes }: Joined): boolean {
    if (!this.#rounds.isRunning || this.#keptBytes + bytes.length > MOST_KEPT_BYTES) return false;
    if (this.#keptBytes === 0) this.#rounds.onRoundEnd(() => this.#forget());
    this.#keptBytes += bytes.length;
    return true;
  }

  #forget(): void {
    this.#byFirst.clear();
    this.#keptBytes = 0;
  }
}

function concatenate(notices: readonly WatchNotice[], framer: WatchFramer): JoinedFrames {
  const frames = notices.map((notice) => framer.frame(notice));
  const [first] = frames;
  const bytes = frames.length === 1 && first !== undefined ? first : Buffer.concat(frames);
  return { bytes, sizes: frames.map(({ length }) => length) };
}

function areSame(some: readonly WatchNotice[], others: readonly WatchNotice[]): boolean {
  return some.length === others.length && some.every((notice, index) => notice === others[index]);
}
