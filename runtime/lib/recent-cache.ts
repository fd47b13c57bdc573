/**
 * A map of bounded size that forgets what was not asked for lately. Entries are in two halves: when the younger half is full, it becomes the
 * older one, and what that held is dropped. An entry that is found in the older half moves to the younger one, so that entries in
 * use survive any number of others that are asked for once.
 */
export class RecentCache<K, V> {
  readonly #half: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  constructor(maxEntries: number) {
    this.#half = Math.ceil(maxEntries / 2);
  }

  get(key: K): V | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const older = this.#old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: K, value: V): void {
    if (this.#young.size >= this.#half) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
