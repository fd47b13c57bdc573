import { StoreError, UnavailableError } from "../../runtime/store/errors.ts";
import type {
  PutOptions,
  PutResult,
  RangeRequest,
  RangeResult,
  Store,
  StoreEntry,
  StoreWatch,
  WatchReceiver,
  WatchRequest,
} from "../../runtime/store/store.ts";
import { Fifo } from "./fifo.ts";
import type { World } from "./world.ts";

const CALL_MS = 5;
const WATCH_MS = 12;

/**
 * A remote store, as with etcd: calls and watch events are delayed, and a watch may lag behind an acknowledged write. While the connection is
 * broken, calls fail and watches wait. Of a failed write, perhaps only the response was lost.
 */
export class StoreConnection implements Store {
  readonly watchesAreImmediate: boolean = false;
  readonly tellsProgress = true;
  readonly #world: World;
  readonly #store: Store;
  readonly #watches = new Set<StoreWatch>();
  #isCut = false;
  #isClosed = false;
  /** Events for watches that are delivered when the connection is restored. */
  #held: (() => void)[] = [];

  constructor(world: World, store: Store) {
    this.#world = world;
    this.#store = store;
  }

  get identity(): Uint8Array {
    return this.#store.identity;
  }

  cut(): void {
    this.#isCut = true;
  }

  mend(): void {
    this.#isCut = false;
    for (const deliver of this.#held.splice(0)) deliver();
  }

  currentRevision(): Promise<number> {
    return this.#call(false, () => this.#store.currentRevision());
  }

  get(key: string, options?: { atRevision?: number }): Promise<StoreEntry | undefined> {
    return this.#call(false, () => this.#store.get(key, options));
  }

  range(request: RangeRequest): Promise<RangeResult> {
    return this.#call(false, () => this.#store.range(request));
  }

  put(key: string, value: Uint8Array, options: PutOptions): Promise<PutResult> {
    return this.#call(true, () => this.#store.put(key, value, options));
  }

  delete(key: string, options: { expected: number }): Promise<PutResult> {
    return this.#call(true, () => this.#store.delete(key, options));
  }

  watch(request: WatchRequest, receiver: WatchReceiver): StoreWatch {
    const [there, back] = [
      new Fifo(this.#world, "store watch request", CALL_MS),
      new Fifo(this.#world, "store watch", WATCH_MS),
    ];
    let inner: StoreWatch | undefined;
    let isClosed = false;
    const held: (() => void)[] = [];
    const deliver = (action: () => void): void =>
      back.send(() => {
        if (isClosed || this.#isClosed) return;
        if (!this.#isCut && held.length === 0) action();
        else {
          held.push(action);
          this.#held.push(() => {
            const next = held.shift();
            if (!isClosed && !this.#isClosed) next?.();
          });
        }
      });
    there.send(() => {
      if (isClosed || this.#isClosed) return;
      inner = this.#store.watch(request, {
        changed: (events, revision) => deliver(() => receiver.changed(events, revision)),
        progress: (revision) => deliver(() => receiver.progress(revision)),
        failed: (error) => deliver(() => receiver.failed(error)),
      });
    });
    const watch: StoreWatch = {
      requestProgress: () => there.send(() => this.#isCut || isClosed || inner?.requestProgress()),
      close: () => {
        isClosed = true;
        inner?.close();
        this.#watches.delete(watch);
      },
    };
    this.#watches.add(watch);
    return watch;
  }

  compact(revision: number): Promise<void> {
    return this.#call(true, () => this.#store.compact(revision));
  }

  async diskUse(): Promise<readonly []> {
    return [];
  }

  /** Closes the connection. The store remains open. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const watch of [...this.#watches]) watch.close();
  }

  async #call<T>(isWrite: boolean, call: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new StoreError("Closed", "the store is closed");
    await this.#world.delay("store request", CALL_MS);
    if (this.#isCut) throw new UnavailableError("the connection is cut", { maybeApplied: false });
    const [result] = await Promise.allSettled([call()]);
    await this.#world.delay("store response", CALL_MS);
    if (this.#isCut) throw new UnavailableError("the connection is cut", { maybeApplied: isWrite });
    if (result.status === "rejected") throw result.reason;
    return result.value;
  }
}
