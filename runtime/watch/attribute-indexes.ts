import type { CachedObject } from "./cached-object.ts";
import type { SelectorHint } from "./requests.ts";

/** Indexes kept per resource; the one unused for longest makes room. */
const MAX_INDEXES = 8;

type ByValue = Map<string, Set<string>>;

interface Index {
  readonly hint: SelectorHint;
  readonly byValue: ByValue;
  /** Objects whose value is unknown: they may match any selector. */
  readonly unreadable: Set<string>;
}

/**
 * Which objects carry a label or field value, for the labels and fields that selectors use. An index is built when
 * a selector first needs it and kept up to date from then on.
 */
export class AttributeIndexes {
  readonly #indexes = new Map<string, Index>();

  /** Keys of the objects that may match, in no order. */
  keysFor(hint: SelectorHint, objects: Iterable<CachedObject>): ReadonlySet<string> {
    const name = `${hint.kind} ${hint.name}`;
    const index = this.#indexes.get(name) ?? build(hint, objects);
    this.#indexes.delete(name);
    this.#indexes.set(name, index);
    const [oldest] = this.#indexes.keys();
    if (this.#indexes.size > MAX_INDEXES && oldest !== undefined) this.#indexes.delete(oldest);
    const keys = index.byValue.get(hint.value) ?? NONE;
    return index.unreadable.size === 0 ? keys : keys.union(index.unreadable);
  }

  replace(previous: CachedObject | undefined, current: CachedObject | undefined): void {
    const readable = previous?.corruption === undefined && current?.corruption === undefined;
    for (const index of this.#indexes.values()) {
      const before = previous && attributeOf(previous, index.hint);
      const now = current && attributeOf(current, index.hint);
      if (readable && before === now) continue;
      if (previous !== undefined) remove(index, previous);
      if (current !== undefined) add(index, current);
    }
  }

  clear(): void {
    this.#indexes.clear();
  }
}

const NONE: ReadonlySet<string> = new Set();

function build(hint: SelectorHint, objects: Iterable<CachedObject>): Index {
  const index: Index = { hint, byValue: new Map(), unreadable: new Set() };
  for (const object of objects) add(index, object);
  return index;
}

export function attributeOf(object: CachedObject, hint: SelectorHint): string | undefined {
  if (hint.kind === "field") return object.field(hint.name);
  return Object.hasOwn(object.labels, hint.name) ? object.labels[hint.name] : undefined;
}

function add({ hint, byValue, unreadable }: Index, object: CachedObject): void {
  if (object.corruption !== undefined) unreadable.add(object.key);
  const value = attributeOf(object, hint);
  if (value === undefined) return;
  const keys = byValue.get(value);
  if (keys === undefined) byValue.set(value, new Set([object.key]));
  else keys.add(object.key);
}

function remove({ hint, byValue, unreadable }: Index, object: CachedObject): void {
  unreadable.delete(object.key);
  const value = attributeOf(object, hint);
  if (value === undefined) return;
  const keys = byValue.get(value);
  if (keys?.delete(object.key) && keys.size === 0) byValue.delete(value);
}
