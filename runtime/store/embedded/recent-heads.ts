import type { KeyHead, LogRecord } from "./engine.ts";

/** Number of cached heads. A written object is often written again soon; this is enough for the objects on which controllers work at a time. */
const REMEMBERED = 4096;

/** Caches the heads of recently written keys, so that the next write of such a key need not read its head from disk. */
export class RecentHeads {
  readonly #heads = new Map<string, KeyHead>();

  get(key: string): KeyHead | undefined {
    return this.#heads.get(key);
  }

  /** Caches the heads of records that have become durable. */
  note(records: readonly LogRecord[]): void {
    if (this.#heads.size + records.length > REMEMBERED) this.#heads.clear();
    for (const { type, key, createRevision, revision } of records) {
      if (type === "delete") this.#heads.delete(key);
      else this.#heads.set(key, { key, createRevision, modRevision: revision });
    }
  }
}
