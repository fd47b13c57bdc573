import type { KeyHead, LogRecord } from "./engine.ts";

/** Objects that were written are often written again soon: this many suffice for controllers that are busy at a time. */
const REMEMBERED = 4096;

/** Heads of recently written keys: the next write of one need not look it up on disk. */
export class RecentHeads {
  readonly #heads = new Map<string, KeyHead>();

  get(key: string): KeyHead | undefined {
    return this.#heads.get(key);
  }

  /** Records what has become durable. */
  note(records: readonly LogRecord[]): void {
    if (this.#heads.size + records.length > REMEMBERED) this.#heads.clear();
    for (const { type, key, createRevision, revision } of records) {
      if (type === "delete") this.#heads.delete(key);
      else this.#heads.set(key, { key, createRevision, modRevision: revision });
    }
  }
}
