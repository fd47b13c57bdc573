import type { RangeOptions } from "lmdb";
import type { StoreLostError } from "../errors.ts";
import { lossOf, MDB_PANIC } from "./lmdb-errors.ts";
import { FORMAT_KEY, type Table, type TableKey } from "./table-keys.ts";

export type OnLost = (error: StoreLostError) => void;

/** Reads a table until its file is found damaged; from then on every read throws the same error. */
export class GuardedTable {
  readonly #table: Table;
  readonly #onLost: OnLost;
  #lost: StoreLostError | undefined;

  constructor(table: Table, onLost: OnLost) {
    this.#table = table;
    this.#onLost = onLost;
  }

  /** Why the file cannot be used any more. */
  get lost(): StoreLostError | undefined {
    return this.#lost;
  }

  /** After a commit that failed for good. */
  giveUp(error: StoreLostError): void {
    this.#lost = error;
  }

  /** Whether LMDB still shows what is always there. Ranges are empty instead of failing when it does not. */
  isReadable(): boolean {
    try {
      this.#table.resetReadTxn();
      return this.#table.get(FORMAT_KEY) !== undefined;
    } catch {
      return false;
    }
  }

  /** The value of a key, in memory that is valid until the next read only. */
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

  /** A range may be empty because the commit that is under way has just failed. */
  #checkReadable(): void {
    if (this.get(FORMAT_KEY) === undefined)
      throw this.#failure(Object.assign(new Error("it cannot be read"), { code: MDB_PANIC }));
  }

  /** A tree of pages that is broken for one key is not written to any more: that would break others. */
  #failure(error: unknown): unknown {
    const failure = lossOf(error);
    if (failure === undefined) return error;
    this.#lost ??= failure;
    this.#onLost(this.#lost);
    return this.#lost;
  }
}
