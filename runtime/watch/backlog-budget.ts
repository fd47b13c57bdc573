import type { CachedObject } from "./cached-object.ts";

/** A watch that has not taken everything yet. */
export interface BackloggedWatch {
  /** Its place among all that have not: set by BacklogBudget. A set would be hashed, filled and emptied in each round of flushes. */
  isBacklogged: boolean;
  previousBacklogged: BackloggedWatch | undefined;
  nextBacklogged: BackloggedWatch | undefined;
  /** Ends the watch because too much waits for it. */
  overflow(): void;
}

/** Bytes of an event besides its object. */
const NOTICE_BYTES = 200;

/**
 * Bounds the memory of objects that watches have still to send. An object counts once, however many watches wait with it:
 * they share its bytes. Beyond the limit the watches end first that have gone longest without reading.
 */
export class BacklogBudget {
  readonly #limit: number;
  /** Ends of a list: those that have gone longest without reading come first. */
  #first: BackloggedWatch | undefined;
  #last: BackloggedWatch | undefined;
  #used = 0;
  #overflowed = 0;

  /** 0 is no limit. */
  constructor(limitBytes: number) {
    this.#limit = limitBytes > 0 ? limitBytes : Number.POSITIVE_INFINITY;
  }

  get usedBytes(): number {
    return this.#used;
  }

  /** How many watches were ended. */
  get overflowed(): number {
    return this.#overflowed;
  }

  /** `watch` has something to read from now on. */
  enter(watch: BackloggedWatch): void {
    if (!watch.isBacklogged) this.#append(watch);
  }

  /** `watch` has read something, and has still to send it. */
  progress(watch: BackloggedWatch): void {
    if (watch === this.#last) return;
    this.leave(watch);
    this.#append(watch);
  }

  /** Nothing waits for `watch` any more. */
  leave(watch: BackloggedWatch): void {
    if (!watch.isBacklogged) return;
    const { previousBacklogged: previous, nextBacklogged: next } = watch;
    if (previous === undefined) this.#first = next;
    else previous.nextBacklogged = next;
    if (next === undefined) this.#last = previous;
    else next.previousBacklogged = previous;
    watch.previousBacklogged = undefined;
    watch.nextBacklogged = undefined;
    watch.isBacklogged = false;
  }

  #append(watch: BackloggedWatch): void {
    const last = this.#last;
    watch.isBacklogged = true;
    watch.previousBacklogged = last;
    if (last === undefined) this.#first = watch;
    else last.nextBacklogged = watch;
    this.#last = watch;
  }

  hold(object: CachedObject): void {
    if (object.backlogs++ === 0) this.#used += costOf(object);
  }

  release(object: CachedObject): void {
    if (--object.backlogs === 0) this.#used -= costOf(object);
  }

  /** Memory that belongs to one watch alone. */
  holdBytes(bytes: number): void {
    this.#used += bytes;
  }

  releaseBytes(bytes: number): void {
    this.#used -= bytes;
  }

  /** Ends watches until the rest fits. */
  trim(): void {
    while (this.#used > this.#limit) {
      const longest = this.#first;
      if (longest === undefined) return;
      this.leave(longest);
      this.#overflowed += 1;
      longest.overflow();
    }
  }
}

function costOf(object: CachedObject): number {
  return object.size + NOTICE_BYTES;
}
