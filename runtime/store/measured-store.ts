import type { DiskUse } from "../contract/disk-use.ts";
import { CasFailedError } from "./errors.ts";
import type {
  DirectReads,
  PutOptions,
  PutResult,
  RangeRequest,
  RangeResult,
  Store,
  StoreEntry,
  StoreWatch,
  WatchReceiver,
  WatchRequest,
} from "./store.ts";

export type StoreOperation = "get" | "list" | "create" | "update" | "delete";

/** Counts the requests and events of a store. */
export interface StoreMeter {
  /** Called for failed requests too. A write that lost against another one (CasFailed) does not count as failed. */
  finished(operation: StoreOperation, milliseconds: number, failed: boolean): void;
  received(events: number): void;
}

/** A store whose requests and events are counted. */
export class MeasuredStore implements Store {
  readonly #inner: Store;
  readonly #meter: StoreMeter;
  readonly #monotonic: () => number;

  constructor(inner: Store, meter: StoreMeter, monotonic: () => number) {
    this.#inner = inner;
    this.#meter = meter;
    this.#monotonic = monotonic;
  }

  get watchesAreImmediate(): boolean {
    return this.#inner.watchesAreImmediate;
  }

  get tellsProgress(): boolean {
    return this.#inner.tellsProgress;
  }

  get identity(): Uint8Array {
    return this.#inner.identity;
  }

  get direct(): DirectReads | undefined {
    return this.#inner.direct;
  }

  diskUse(): Promise<readonly DiskUse[]> {
    return this.#inner.diskUse();
  }

  currentRevision(): Promise<number> {
    return this.#inner.currentRevision();
  }

  get(key: string, options?: { atRevision?: number }): Promise<StoreEntry | undefined> {
    return this.#timed("get", this.#inner.get(key, options));
  }

  range(request: RangeRequest): Promise<RangeResult> {
    return this.#timed("list", this.#inner.range(request));
  }

  put(key: string, value: Uint8Array, options: PutOptions): Promise<PutResult> {
    return this.#timed(options.expected === 0 ? "create" : "update", this.#inner.put(key, value, options));
  }

  delete(key: string, options: { expected: number }): Promise<PutResult> {
    return this.#timed("delete", this.#inner.delete(key, options));
  }

  watch(request: WatchRequest, receiver: WatchReceiver): StoreWatch {
    return this.#inner.watch(request, {
      changed: (events, revision) => {
        this.#meter.received(events.length);
        receiver.changed(events, revision);
      },
      progress: (revision) => receiver.progress(revision),
      failed: (error) => receiver.failed(error),
    });
  }

  compact(revision: number): Promise<void> {
    return this.#inner.compact(revision);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  async #timed<T>(operation: StoreOperation, answer: Promise<T>): Promise<T> {
    const started = this.#monotonic();
    let failed = false;
    try {
      return await answer;
    } catch (error) {
      failed = !(error instanceof CasFailedError);
      throw error;
    } finally {
      this.#meter.finished(operation, this.#monotonic() - started, failed);
    }
  }
}
