import type { Clock } from "../../../lib/clock.ts";
import { UnavailableError } from "../../errors.ts";
import type { Store, StoreEntry, StoreEvent, WatchReceiver } from "../../store.ts";
import { watchThrough } from "../../watch-through.ts";

const RETRY_MS = 1000;
/** Values of a page that are prepared concurrently. */
const AT_ONCE = 32;

/** Prepares the decryption of a value. Returns undefined if no preparation is needed. Rejects while it is impossible. */
export type Prepare = (value: Uint8Array) => Promise<void> | undefined;

/**
 * Returns a store that returns values only once they can be decrypted synchronously: decryption is synchronous, but calls of a plugin are
 * not. Reads of values whose plugin is unavailable fail; watches wait for the plugin.
 */
export function preparingStore(inner: Store, prepare: Prepare, clock: Clock): Store {
  return {
    get watchesAreImmediate() {
      return inner.watchesAreImmediate;
    },
    tellsProgress: inner.tellsProgress,
    identity: inner.identity,
    currentRevision: () => inner.currentRevision(),
    diskUse: () => inner.diskUse(),
    async get(key, options) {
      const entry = await inner.get(key, options);
      if (entry !== undefined) await prepareAll([entry], prepare);
      return entry;
    },
    async range(request) {
      const result = await inner.range(request);
      await prepareAll(result.entries, prepare);
      return result;
    },
    put: (key, value, options) => inner.put(key, value, options),
    delete: (key, options) => inner.delete(key, options),
    watch: (request, receiver) => watchThrough(inner, request, new OrderedReceiver(receiver, prepare, clock)),
    compact: (revision) => inner.compact(revision),
    close: () => inner.close(),
  };
}

async function prepareAll(entries: readonly StoreEntry[], prepare: Prepare): Promise<void> {
  try {
    let waiting: Promise<void>[] = [];
    for (const { value } of entries) {
      const one = prepare(value);
      if (one !== undefined) waiting.push(one);
      if (waiting.length < AT_ONCE) continue;
      await Promise.all(waiting);
      waiting = [];
    }
    await Promise.all(waiting);
  } catch (error) {
    throw new UnavailableError(`stored values cannot be decrypted: ${(error as Error).message}`, { cause: error });
  }
}

/** Forwards all calls in order. Forwards them synchronously as long as no value needs preparation. */
class OrderedReceiver implements WatchReceiver {
  readonly #receiver: WatchReceiver;
  readonly #prepare: Prepare;
  readonly #clock: Clock;
  #last: Promise<void> | undefined;
  #closed = false;

  constructor(receiver: WatchReceiver, prepare: Prepare, clock: Clock) {
    this.#receiver = receiver;
    this.#prepare = prepare;
    this.#clock = clock;
  }

  changed(events: readonly StoreEvent[], revision: number): void {
    const values = events.flatMap(({ value, previous }) =>
      previous === undefined ? [value] : [value, previous.value],
    );
    const waiting = values.flatMap((value) => this.#prepare(value)?.then(undefined, () => this.#retry(value)) ?? []);
    const ready = waiting.length === 0 ? undefined : Promise.all(waiting).then(() => undefined);
    this.#inOrder(ready, () => this.#receiver.changed(events, revision));
  }

  progress(revision: number): void {
    this.#inOrder(undefined, () => this.#receiver.progress(revision));
  }

  failed(error: Error): void {
    this.#inOrder(undefined, () => this.#receiver.failed(error));
  }

  close(): void {
    this.#closed = true;
  }

  async #retry(value: Uint8Array): Promise<void> {
    while (!this.#closed) {
      await new Promise<void>((resolve) => void this.#clock.after(RETRY_MS, resolve));
      try {
        await this.#prepare(value);
        return;
      } catch {
        // The plugin is still unavailable.
      }
    }
  }

  #inOrder(ready: Promise<void> | undefined, pass: () => void): void {
    if (ready === undefined && this.#last === undefined) return pass();
    const mine = Promise.all([this.#last, ready]).then(() => {
      if (!this.#closed) pass();
      if (this.#last === mine) this.#last = undefined;
    });
    this.#last = mine;
  }
}
