import { attributeOf } from "./attribute-indexes.ts";
import type { SelectorHint } from "./requests.ts";
import type { CacheEvent } from "./watch-event.ts";
import type { Watcher } from "./watcher.ts";

type Hinted = { readonly hint: SelectorHint; readonly byValue: Map<string, Set<Watcher>> };

/**
 * The watches of one scope. Watches that select by an equality are grouped by its value, so that a change visits only those whose value the
 * object has or had: thousands of nodes may each watch their own pods.
 */
export class WatcherBucket {
  readonly #plain = new Set<Watcher>();
  readonly #hinted = new Map<string, Hinted>();

  get isEmpty(): boolean {
    return this.#plain.size === 0 && this.#hinted.size === 0;
  }

  add(watcher: Watcher): void {
    const hint = watcher.selector?.hint;
    if (hint === undefined) {
      this.#plain.add(watcher);
      return;
    }
    const name = nameOf(hint);
    const hinted = this.#hinted.get(name) ?? { hint, byValue: new Map<string, Set<Watcher>>() };
    this.#hinted.set(name, hinted);
    const watchers = hinted.byValue.get(hint.value) ?? new Set();
    hinted.byValue.set(hint.value, watchers.add(watcher));
  }

  remove(watcher: Watcher): void {
    const hint = watcher.selector?.hint;
    if (hint === undefined) {
      this.#plain.delete(watcher);
      return;
    }
    const hinted = this.#hinted.get(nameOf(hint));
    const watchers = hinted?.byValue.get(hint.value);
    if (watchers?.delete(watcher) && watchers.size === 0) hinted?.byValue.delete(hint.value);
    if (hinted?.byValue.size === 0) this.#hinted.delete(nameOf(hint));
  }

  /** Offers a change to the watches that it may concern. Adds those whose readers must be woken to `woken`. */
  offer(event: CacheEvent, woken: Watcher[]): void {
    offerTo(this.#plain, event, woken);
    for (const { hint, byValue } of this.#hinted.values()) {
      if (isUnreadable(event)) {
        // The labels and fields of the object are unknown: the change may concern every watch.
        for (const watchers of byValue.values()) offerTo(watchers, event, woken);
        continue;
      }
      const now = event.current && attributeOf(event.current, hint);
      const before = event.previous && attributeOf(event.previous, hint);
      if (now !== undefined) offerTo(byValue.get(now), event, woken);
      if (before !== undefined && before !== now) offerTo(byValue.get(before), event, woken);
    }
  }

  *all(): Iterable<Watcher> {
    yield* this.#plain;
    for (const { byValue } of this.#hinted.values()) for (const watchers of byValue.values()) yield* watchers;
  }
}

/** A watch that ends removes itself from the set during the iteration. */
function offerTo(watchers: ReadonlySet<Watcher> | undefined, event: CacheEvent, woken: Watcher[]): void {
  if (watchers === undefined) return;
  for (const watcher of watchers) if (watcher.offer(event)) woken.push(watcher);
}

function nameOf(hint: SelectorHint): string {
  return `${hint.kind} ${hint.name}`;
}

function isUnreadable({ current, previous }: CacheEvent): boolean {
  return (current?.corruption ?? previous?.corruption) !== undefined;
}
