import { CasFailedError, StoreError } from "../../runtime/store/errors.ts";
import type { Store, StoreEntry } from "../../runtime/store/store.ts";

/** An observation, reported by the process that made it. */
export interface Observation {
  /** `acked`: a writer received the confirmation that its write is durable. `seen`: a watcher received a change. */
  readonly by: "acked" | "seen";
  readonly type: "put" | "delete";
  readonly key: string;
  readonly revision: number;
}

export interface WorkloadOptions {
  readonly prefix: string;
  readonly writers: number;
  /** The first revision that the watcher has not seen yet. */
  readonly watchFrom: number;
  readonly report: (observation: Observation) => void;
}

const KEYS_PER_WRITER = 5;

/** Concurrent writers that create, change and delete keys, and a watcher of all keys. */
export class Workload {
  readonly #store: Store;
  readonly #options: WorkloadOptions;
  #stopping = false;
  #writers: Promise<void>[] = [];

  constructor(store: Store, options: WorkloadOptions) {
    this.#store = store;
    this.#options = options;
  }

  start(): void {
    const { prefix, watchFrom, writers, report } = this.#options;
    this.#store.watch(
      { prefix, startRevision: watchFrom },
      {
        changed: (events) => {
          for (const { type, key, revision } of events) report({ by: "seen", type, key, revision });
        },
        progress: () => undefined,
        failed: () => undefined,
      },
    );
    this.#writers = Array.from({ length: writers }, (_, writer) => this.#write(writer));
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#writers);
  }

  async #write(writer: number): Promise<void> {
    for (let sequence = 0; !this.#stopping; sequence++) {
      const key = `${this.#options.prefix}${writer}/${sequence % KEYS_PER_WRITER}`;
      try {
        await this.#change(key, await this.#store.get(key), sequence);
      } catch (error) {
        if (error instanceof CasFailedError) continue;
        if (error instanceof StoreError && error.code === "Closed") return;
        // The store is not available, so the outcome of the write is unknown. The writer reads again and continues.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }

  async #change(key: string, entry: StoreEntry | undefined, sequence: number): Promise<void> {
    const expected = entry?.modRevision ?? 0;
    const type = entry !== undefined && sequence % 7 === 6 ? "delete" : "put";
    const { revision } =
      type === "delete"
        ? await this.#store.delete(key, { expected })
        : await this.#store.put(key, Buffer.from(`${sequence} `.repeat(200)), { expected });
    this.#options.report({ by: "acked", type, key, revision });
  }
}
