/**
 * Items indexed by a prefix of keys. Most prefixes are directories, such as `/registry/pods/`: these are looked up, once for each directory
 * of the key. The few other prefixes are compared one by one.
 */
export class PrefixIndex<T> {
  readonly #byPrefix = new Map<string, Set<T>>();
  readonly #others = new Set<string>();

  add(prefix: string, item: T): void {
    const items = this.#byPrefix.get(prefix);
    if (items !== undefined) {
      items.add(item);
      return;
    }
    this.#byPrefix.set(prefix, new Set([item]));
    if (!prefix.endsWith("/")) this.#others.add(prefix);
  }

  delete(prefix: string, item: T): void {
    const items = this.#byPrefix.get(prefix);
    if (items === undefined || !items.delete(item) || items.size > 0) return;
    this.#byPrefix.delete(prefix);
    this.#others.delete(prefix);
  }

  /** Calls `found` with every item whose prefix the key starts with. */
  find(key: string, found: (item: T) => void): void {
    for (let end = key.indexOf("/"); end >= 0; end = key.indexOf("/", end + 1)) {
      this.#byPrefix.get(key.slice(0, end + 1))?.forEach(found);
    }
    for (const prefix of this.#others) {
      if (key.startsWith(prefix)) this.#byPrefix.get(prefix)?.forEach(found);
    }
  }
}
