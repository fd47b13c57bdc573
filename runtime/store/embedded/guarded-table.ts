import type { RangeOptions } from "lmdb";
import type { StoreLostError } from "../errors.ts";
import { lossOf, MDB_PANIC } from "./lmdb-errors.ts";
import { FORMAT_KEY, type Table, type TableKey } from "./table-keys.ts";

export type OnLost = (error: StoreLostError) => void;

/** Reads a table until its file is found damaged. From then on, every read throws the same error. */
export class GuardedTable {
  readonly #table: Table;
  readonly #onLost: OnLost;
  #lost: StoreLostError | undefined;

  constructor(table: Table, onLost: OnLost) {
    this.#table = table;
    this.#onLost = onLost;
  }

  /** The error that made the file unusable; undefined while it is usable. */
  get lost(): StoreLostError | undefined {
    return this.#lost;
  }

  /** Marks the file as unusable after a commit that failed permanently. */
  giveUp(error: StoreLostError): void {
    this.#lost = error;
  }

  /** Whether LMDB still finds a key that always exists. If it does not, ranges are empty instead of failing. */
  isReadable(): boolean {
    try {
      this.#table.resetReadTxn();
      return this.#table.get(FORMAT_KEY) !== undefined;
    } catch {
      return false;
    }
  }

  /** The value of a key, in memory that is valid only until the next read. */
  get(key: TableKey): Buffer | undefined {
    if (this.#lost !== undefined) throw this.#lost;
    try {
      return this.#table.getBinaryFast(key);
    } catch (error) {
      throw this.#failure(error);
    }
  }

  range(range: RangeOptions): Iterable<{ key: TableKey; value: Buffer }> {
    return this.#guarded(() => this.#table.getRange(range));
  }

  keys(range: RangeOptions): Iterable<TableKey> {
    return this.#guarded(() => this.#table.getKeys(range));
  }

  count(range: RangeOptions): number {
    if (this.#lost !== undefined) throw this.#lost;
    let count: number;
    try {
      count = this.#table.getKeysCount(range);
    } catch (error) {
      throw this.#failure(error);
    }
    if (count === 0) this.#checkReadable();
    return count;
  }

  *#guarded<T>(read: () => Iterable<T>): Iterable<T> {
    if (this.#lost !== undefined) throw this.#lost;
    let isEmpty = true;
    try {
      for (const entry of read()) {
        isEmpty = false;
        yield entry;
      }
    } catch (error) {
      throw this.#failure(error);
    }
    if (isEmpty) this.#checkReadable();
  }

  /** Throws if the file is unreadable: a range may be empty only because a concurrent commit has just failed. */
  #checkReadable(): void {
    if (this.get(FORMAT_KEY) === undefined)
      throw this.#failure(Object.assign(new Error("it cannot be read"), { code: MDB_PANIC }));
  }

  /** A page tree that is damaged at one key takes no more writes: they could damage other keys. */
  #failure(error: unknown): unknown {
    const failure = lossOf(error);
    if (failure === undefined) return error;
    this.#lost ??= failure;
    this.#onLost(this.#lost);
    return this.#lost;
  }
}
