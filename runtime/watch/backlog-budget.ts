import type { CachedObject } from "./cached-object.ts";

/** A watch that has not taken everything yet. */
export interface BackloggedWatch {
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
  /** Those that have gone longest without reading come first. */
  readonly #watches = new Set<BackloggedWatch>();
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
    this.#watches.add(watch);
  }

  /** `watch` has read something, and has still to send it. */
  progress(watch: BackloggedWatch): void {
    this.#watches.delete(watch);
    this.#watches.add(watch);
  }

  /** Nothing waits for `watch` any more. */
  leave(watch: BackloggedWatch): void {
    this.#watches.delete(watch);
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
    if (this.#used <= this.#limit) return;
    for (const watch of this.#watches) {
      this.#watches.delete(watch);
      this.#overflowed += 1;
      watch.overflow();
      if (this.#used <= this.#limit) return;
    }
  }
}

function costOf(object: CachedObject): number {
  return object.size + NOTICE_BYTES;
}
