/** An object that things can be remembered on: encodings of it, its parsed form, its frames. */
export interface MemoHolder {
  /** In the store. */
  readonly key: string;
  /** Bytes of the object itself, where they raise the limit of the budget (`addData`). */
  readonly size?: number;
  /** The first of a chain, owned by the budget. A holder has few memos, and there are many holders: a map for each would take too much memory. */
  memos: Memo | undefined;
}

export interface Memo {
  readonly holder: MemoHolder;
  readonly name: string;
  readonly value: unknown;
  readonly bytes: number;
  /** Of the same holder. */
  next: Memo | undefined;
  /** Asked for since eviction last passed by. */
  recent: boolean;
}

/** What takes at most this part of its object is small: a full budget makes room for it, and all of it fits in. */
const SMALL_PART = 1 / 8;

/** What is remembered on a holder under a name. */
export function memoOf(holder: MemoHolder, name: string): Memo | undefined {
  let memo = holder.memos;
  while (memo !== undefined && memo.name !== name) memo = memo.next;
  return memo;
}

/** Remembers work on holders. */
export interface Memory {
  /** The value remembered under `name`, or the one `make` returns, remembered if it fits. */
  remember<T>(holder: MemoHolder, name: string, make: () => T, sizeOf: (value: T) => number): T;
  /**
   * The same for bytes, which are kept in memory of their own: Node hands out small buffers as slices of large pools,
   * and one slice that stays would keep its whole pool, which no budget would count.
   */
  rememberBytes(holder: MemoHolder, name: string, make: () => Uint8Array): Uint8Array;
}

/** Of holders that nothing keeps: no budget has to count what goes with them, and none keeps them alive. */
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
 * Bounds the memory spent on remembered work. Memos live on their holders, where they are found without a map; when
 * the total passes the limit, the oldest go first, those asked for in the meantime being spared once (second chance).
 *
 * A list that is larger than the limit would evict each memo before the next list asks for it, and find nothing. With
 * `admitOneIn` above 1, a full budget therefore remembers only one new value in so many: what is there stays for the next
 * list, and the share of memos that is found is about the share that fits. Values that are small beside their objects, such as metadata or
 * the cells of a table, are always remembered: made of a large object they cost as much as large ones.
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

  /** How many values were dropped, or not remembered at all, because the limit was reached. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Raises the limit by the size of objects that are kept anyway (lowers it, if negative): each may be remembered in one more form. */
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

  /** Forgets everything remembered on a holder that is not current any more. */
  release(holder: MemoHolder): void {
    for (let memo = holder.memos; memo !== undefined; memo = memo.next) this.#forget(memo);
    holder.memos = undefined;
  }

  /**
   * Forgets everything remembered on holders whose keys begin with a prefix, also on those that are not current any more: while a memo
   * lives, its holder does, and with it everything that was compiled for its kind.
   */
  releaseBelow(prefix: string): void {
    for (const memo of this.#memos) if (memo.holder.key.startsWith(prefix)) this.#drop(memo);
  }

  /** Forgets everything: it can be made again. */
  clear(): void {
    for (const memo of this.#memos) memo.holder.memos = undefined;
    this.#memos.clear();
    this.#used = 0;
  }

  /** Forgets what nobody has asked for since it was made or since the last call. */
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

/** Takes a memo out of the chain of its holder, if it is still in it. */
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
