import type { WatchNotice } from "../../watch/watch-event.ts";

/** Room for the events that come while a round goes on: as much as the first ones take, and no less than this. */
const LEAST_BYTES = 8 * 1024;

/**
 * Frames one after the other in one block of memory. Each frame is copied once, however many watches are sent it: a run of them is a part of
 * the block, wherever it begins and ends.
 */
export class FrameTape {
  readonly sharedName: string;
  readonly #block: Buffer;
  readonly #notices: WatchNotice[] = [];
  readonly #places = new Map<WatchNotice, number>();
  /** Where each frame begins, and where the next one will. */
  readonly #starts: number[] = [0];

  constructor(sharedName: string, first: readonly Uint8Array[]) {
    this.sharedName = sharedName;
    const bytes = first.reduce((sum, { length }) => sum + length, 0);
    this.#block = Buffer.allocUnsafeSlow(Math.max(2 * bytes, LEAST_BYTES));
  }

  /** Of the whole block. */
  get bytes(): number {
    return this.#block.length;
  }

  /** How many frames are on it. */
  get length(): number {
    return this.#notices.length;
  }

  noticeAt(index: number): WatchNotice {
    return this.#notices[index] as WatchNotice;
  }

  /** The frames of the notices, which are added as far as they are missing at the end; undefined if others are between them, or no room is left. */
  run(notices: readonly WatchNotice[], frames: readonly Uint8Array[]): Uint8Array | undefined {
    const [first] = notices;
    const from = first === undefined ? 0 : (this.#places.get(first) ?? this.length);
    const known = Math.min(this.length - from, notices.length);
    for (let index = 0; index < known; index++) if (this.#notices[from + index] !== notices[index]) return undefined;
    if (!this.#add(notices, frames, known)) return undefined;
    return this.#block.subarray(this.#starts[from], this.#starts[from + notices.length]);
  }

  #add(notices: readonly WatchNotice[], frames: readonly Uint8Array[], from: number): boolean {
    let end = this.#starts.at(-1) as number;
    let missing = 0;
    for (let index = from; index < frames.length; index++) missing += (frames[index] as Uint8Array).length;
    if (end + missing > this.#block.length) return false;
    for (let index = from; index < notices.length; index++) {
      const [notice, frame] = [notices[index] as WatchNotice, frames[index] as Uint8Array];
      this.#block.set(frame, end);
      end += frame.length;
      this.#places.set(notice, this.#notices.length);
      this.#notices.push(notice);
      this.#starts.push(end);
    }
    return true;
  }
}
