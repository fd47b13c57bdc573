import { randomBytes } from "node:crypto";
import { newSortedMap } from "../../lib/sorted-map.ts";
import { prefixEnd } from "../prefix-end.ts";
import type { Changes, Engine, Expiry, KeyHead, LogRecord } from "./engine.ts";

/** The embedded store's tables in memory, for tests and throw-away servers: same semantics, nothing on disk. */
export class MemoryEngine implements Engine {
  readonly identity: Uint8Array = randomBytes(32);
  readonly #heads = newSortedMap<string, KeyHead>();
  readonly #log = newSortedMap<number, LogRecord>();
  #expiries: Expiry[] = [];
  #revision = 1;
  #compacted = 0;

  revision(): number {
    return this.#revision;
  }

  compactedRevision(): number {
    return this.#compacted;
  }

  head(key: string): KeyHead | undefined {
    return this.#heads.get(key);
  }

  *heads(prefix: string, startAfter?: string): Iterable<KeyHead> {
    const end = prefixEnd(prefix);
    for (const [key, head] of this.#heads.entries(laterOf(prefix, startAfter))) {
      if (key >= end) return;
      if (key !== startAfter) yield head;
    }
  }

  countKeys(prefix: string, startAfter?: string): number {
    let count = 0;
    for (const _ of this.heads(prefix, startAfter)) count++;
    return count;
  }

  record(revision: number): LogRecord | undefined {
    return this.#log.get(revision);
  }

  *records(fromRevision: number): Iterable<LogRecord> {
    for (const [, record] of this.#log.entries(fromRevision)) yield record;
  }

  expiries(dueBy: number): Iterable<Expiry> {
    return this.#expiries.filter((expiry) => expiry.time <= dueBy).sort((a, b) => a.time - b.time);
  }

  async commit(changes: Changes): Promise<void> {
    for (const record of changes.records) {
      this.#log.set(record.revision, record);
      this.#revision = record.revision;
      if (record.type === "delete") this.#heads.delete(record.key);
      else {
        const { key, revision, createRevision } = record;
        this.#heads.set(key, { key, modRevision: revision, createRevision });
      }
    }
    for (const revision of changes.droppedRecords) this.#log.delete(revision);
    this.#expiries.push(...changes.expiries);
    if (changes.droppedExpiries.length > 0) {
      const dropped = new Set(changes.droppedExpiries.map((expiry) => expiry.revision));
      this.#expiries = this.#expiries.filter((expiry) => !dropped.has(expiry.revision));
    }
    this.#compacted = changes.compactedRevision ?? this.#compacted;
  }

  async diskSize(): Promise<undefined> {}

  async close(): Promise<void> {}
}

function laterOf(prefix: string, startAfter: string | undefined): string {
  return startAfter !== undefined && startAfter > prefix ? startAfter : prefix;
}
