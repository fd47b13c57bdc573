import type { Clock } from "../lib/clock.ts";
import type { AnyObject } from "./cache.ts";
import { formatKey } from "./keys.ts";
import type { RateLimiter } from "./rate-limiter.ts";

export interface MappingParts {
  /** Adds the keys to which an object of a source is mapped. */
  readonly map: (object: AnyObject) => void | Promise<void>;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
  /** A call that takes longer is logged. */
  readonly stuckAfterMs: number;
  readonly warn: (problem: string, object: AnyObject) => void;
}

/** With the default rate limits, the last attempt happens after about an hour. */
const ATTEMPTS = 20;

interface Retry {
  /** The first and the last version that failed. Versions in between need no retry. */
  first: AnyObject;
  last: AnyObject | undefined;
  readonly cancel: () => void;
}

/** Maps objects of a source to keys. Retries when the function of the user fails: otherwise the change would be lost. */
export class Mapping {
  readonly #parts: MappingParts;
  /** Pending retries by the key of the object. */
  readonly #retries = new Map<string, Retry>();
  #isStopped = false;

  constructor(parts: MappingParts) {
    this.#parts = parts;
  }

  /** Maps the objects. Resolves when each was tried once. */
  add(...objects: AnyObject[]): void | Promise<void> {
    const later = objects.map((object) => this.#try(object)).filter((one) => one !== undefined);
    if (later.length > 0) return Promise.all(later).then(() => undefined);
  }

  stop(): void {
    this.#isStopped = true;
    for (const { cancel } of this.#retries.values()) cancel();
    this.#retries.clear();
  }

  #try(object: AnyObject): Promise<void> | undefined {
    try {
      const working = this.#parts.map(object);
      if (working !== undefined) return this.#finish(object, working);
      this.#succeeded(object);
    } catch (error) {
      this.#failed(object, error);
    }
  }

  async #finish(object: AnyObject, working: Promise<void>): Promise<void> {
    const { clock, stuckAfterMs, warn } = this.#parts;
    const cancel = clock.after(stuckAfterMs, () => warn(`has not ended after ${stuckAfterMs / 1000} s`, object));
    try {
      await working;
      this.#succeeded(object);
    } catch (error) {
      this.#failed(object, error);
    } finally {
      cancel();
    }
  }

  #succeeded({ metadata }: AnyObject): void {
    const key = formatKey(metadata);
    if (!this.#retries.has(key)) this.#parts.limiter.forget(key);
  }

  #failed(object: AnyObject, error: unknown): void {
    const { limiter, clock, warn } = this.#parts;
    if (this.#isStopped) return;
    const key = formatKey(object.metadata);
    const message = error instanceof Error ? error.message : String(error);
    const known = this.#retries.get(key);
    if (known !== undefined) {
      known.last = object;
      return;
    }
    if (limiter.failuresOf(key) >= ATTEMPTS - 1) {
      limiter.forget(key);
      warn(`failed ${ATTEMPTS} times and is not retried: ${message}`, object);
      return;
    }
    const milliseconds = limiter.next(key);
    warn(`failed, retry in ${Math.round(milliseconds)} ms: ${message}`, object);
    const cancel = clock.after(milliseconds, () => {
      this.#retries.delete(key);
      void this.add(...(retry.last === undefined ? [retry.first] : [retry.first, retry.last]));
    });
    const retry: Retry = { first: object, last: undefined, cancel };
    this.#retries.set(key, retry);
  }
}
