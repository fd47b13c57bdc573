import type { CachedObject } from "./cached-object.ts";

/** A watch that may have notices that are not yet read or sent. */
export interface BackloggedWatch {
  /** Set by BacklogBudget: links in its list of such watches. A Set would be hashed, filled and emptied in each round of flushes. */
  isBacklogged: boolean;
  previousBacklogged: BackloggedWatch | undefined;
  nextBacklogged: BackloggedWatch | undefined;
  /** Ends the watch because its backlog is too large. */
  overflow(): void;
}

/** Bytes that an event takes besides its object. */
const NOTICE_BYTES = 200;

/**
 * Bounds the memory of objects that watches have not sent yet. An object counts once, however many watches wait to send it, because they
 * share its bytes. Beyond the limit, ends the watches that have not read for the longest time.
 */
export class BacklogBudget {
  readonly #limit: number;
  /** Ends of a linked list in which watches that have not read for longer come first. */
  #first: BackloggedWatch | undefined;
  #last: BackloggedWatch | undefined;
  #used = 0;
  #overflowed = 0;

  /** 0 means no limit. */
  constructor(limitBytes: number) {
    this.#limit = limitBytes > 0 ? limitBytes : Number.POSITIVE_INFINITY;
  }

  get usedBytes(): number {
    return this.#used;
  }

  /** Number of watches that were ended. */
  get overflowed(): number {
    return this.#overflowed;
  }

  /** `watch` has something to read from now on. */
  enter(watch: BackloggedWatch): void {
    if (!watch.isBacklogged) this.#append(watch);
  }

  /** `watch` has read notices and is still sending them. */
  progress(watch: BackloggedWatch): void {
    if (watch === this.#last) return;
    this.leave(watch);
    this.#append(watch);
  }

  /** `watch` has nothing more to read or send. */
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

  /** Counts memory that belongs to a single watch. */
  holdBytes(bytes: number): void {
    this.#used += bytes;
  }

  releaseBytes(bytes: number): void {
    this.#used -= bytes;
  }

  /** Ends watches until the rest is within the limit. */
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
