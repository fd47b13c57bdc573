/** An object on which derived values are cached: its encodings, its parsed form, its frames. */
export interface MemoHolder {
  /** Storage key. */
  readonly key: string;
  /** Bytes of the object itself, if they raise the limit of the budget (`addData`). */
  readonly size?: number;
  /** First of a linked list, managed by the budget. There are many holders with few memos each: a map per holder would take too much memory. */
  memos: Memo | undefined;
}

export interface Memo {
  readonly holder: MemoHolder;
  readonly name: string;
  readonly value: unknown;
  readonly bytes: number;
  /** The next memo of the same holder. */
  next: Memo | undefined;
  /** Whether it was used since eviction last considered it. */
  recent: boolean;
}

/** A value of at most this fraction of its object's size counts as small: a full budget always makes room for it. */
const SMALL_PART = 1 / 8;

/** The cached value of a holder under a name. */
export function memoOf(holder: MemoHolder, name: string): Memo | undefined {
  let memo = holder.memos;
  while (memo !== undefined && memo.name !== name) memo = memo.next;
  return memo;
}

/** Caches derived values on holders. */
export interface Memory {
  /** Returns the value cached under `name`. Otherwise returns the result of `make`, and caches it if it fits. */
  remember<T>(holder: MemoHolder, name: string, make: () => T, sizeOf: (value: T) => number): T;
  /**
   * Like `remember`, for bytes, which are copied to memory of their own if necessary. Node allocates small buffers as slices of large
   * pools: one cached slice would keep its whole pool in memory, which no budget would count.
   */
  rememberBytes(holder: MemoHolder, name: string, make: () => Uint8Array): Uint8Array;
}

/** For holders that no cache keeps: their values are released with them, so no budget has to count them. */
export const OWN_MEMOS: Memory = {
  remember(holder, name, make) {
    const found = memoOf(holder, name);
    if (found !== undefined) return found.value as ReturnType<typeof make>;
    const value = make();
    holder.memos = { holder, name, value, bytes: 0, next: holder.memos, recent: false };
    return value;
  },
  rememberBytes: (holder, name, make) => OWN_MEMOS.remember(holder, name, make, () => 0),
};

/**
 * Bounds the memory of cached derived values. Memos are stored on their holders, where they are found without a map. When the total exceeds
 * the limit, the oldest are evicted first; those used in the meantime are spared once (second chance).
 *
 * A list larger than the limit would evict each memo before the next list uses it, and the cache would never hit. With `admitOneIn` above
 * 1, a full budget therefore caches only one in that many new values: existing memos stay for the next list, and the hit rate is about the
 * share of values that fit. Values that are small compared with their objects, such as metadata or table cells, are always cached: deriving
 * them from a large object is as expensive as deriving a large value.
 */
export class MemoBudget implements Memory {
  readonly #ownLimit: number;
  readonly #admitOneIn: number;
  readonly #memos = new Set<Memo>();
  #used = 0;
  #dataBytes = 0;
  #refused = 0;
  #dropped = 0;

  constructor(limitBytes: number, admitOneIn = 1) {
    this.#ownLimit = limitBytes;
    this.#admitOneIn = admitOneIn;
  }

  get usedBytes(): number {
    return this.#used;
  }

  get limitBytes(): number {
    return this.#ownLimit + Math.max(0, this.#dataBytes);
  }

  /** Number of values that were evicted, or not cached at all, because the limit was reached. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Raises the limit by the size of objects that are in memory anyway (lowers it if negative): each may be cached in one more form. */
  addData(bytes: number): void {
    this.#dataBytes += bytes;
    if (bytes < 0) this.#evict();
  }

  remember<T>(holder: MemoHolder, name: string, make: () => T, sizeOf: (value: T) => number): T {
    const found = memoOf(holder, name);
    if (found !== undefined) {
      found.recent = true;
      return found.value as T;
    }
    const value = make();
    const bytes = sizeOf(value);
    if (!this.#admits(bytes, holder)) {
      this.#dropped += 1;
      return value;
    }
    const memo: Memo = { holder, name, value, bytes, next: holder.memos, recent: false };
    holder.memos = memo;
    this.#memos.add(memo);
    this.#used += bytes;
    this.#evict();
    return value;
  }

  rememberBytes(holder: MemoHolder, name: string, make: () => Uint8Array): Uint8Array {
    return this.remember(
      holder,
      name,
      () => ownBytes(make()),
      (bytes) => bytes.length,
    );
  }

  /** Drops all values of a holder that is no longer current. */
  release(holder: MemoHolder): void {
    for (let memo = holder.memos; memo !== undefined; memo = memo.next) this.#forget(memo);
    holder.memos = undefined;
  }

  /**
   * Drops all values of holders whose keys begin with a prefix, including holders that are no longer current: a memo keeps its holder in
   * memory, and with it everything that was compiled for the kind.
   */
  releaseBelow(prefix: string): void {
    for (const memo of this.#memos) if (memo.holder.key.startsWith(prefix)) this.#drop(memo);
  }

  /** Drops all values; they can be made again. */
  clear(): void {
    for (const memo of this.#memos) memo.holder.memos = undefined;
    this.#memos.clear();
    this.#used = 0;
  }

  /** Drops the values that were not used since they were made or since the last call. */
  clearUnused(): void {
    for (const memo of this.#memos) {
      if (memo.recent) memo.recent = false;
      else this.#drop(memo);
    }
  }

  #admits(bytes: number, { size = 0 }: MemoHolder): boolean {
    if (this.#used + bytes <= this.limitBytes) return true;
    if (bytes > this.limitBytes) return false;
    if (bytes <= size * SMALL_PART) return true;
    this.#refused = (this.#refused + 1) % this.#admitOneIn;
    return this.#refused === 0;
  }

  #evict(): void {
    const limit = this.limitBytes;
    for (const memo of this.#memos) {
      if (this.#used <= limit) return;
      if (memo.recent) {
        memo.recent = false;
        this.#memos.delete(memo);
        this.#memos.add(memo);
        continue;
      }
      this.#drop(memo);
      this.#dropped += 1;
    }
  }

  #drop(memo: Memo): void {
    this.#forget(memo);
    unchain(memo);
  }

  #forget(memo: Memo): void {
    if (this.#memos.delete(memo)) this.#used -= memo.bytes;
  }
}

/** Removes a memo from the list of its holder, if it is still in it. */
function unchain(memo: Memo): void {
  const { holder } = memo;
  if (holder.memos === memo) {
    holder.memos = memo.next;
    return;
  }
  let before = holder.memos;
  while (before !== undefined && before.next !== memo) before = before.next;
  if (before !== undefined) before.next = memo.next;
}

function ownBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return own;
}
