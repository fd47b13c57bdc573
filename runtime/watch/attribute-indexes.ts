import type { CachedObject } from "./cached-object.ts";
import type { SelectorHint } from "./requests.ts";

/** Indexes kept per resource; the one unused for longest makes room. */
const MAX_INDEXES = 8;

type Index = Map<string, Set<string>>;

/**
 * Which objects carry a label or field value, for the labels and fields that selectors ask about. An index is built when
 * a selector first needs it and kept up to date from then on.
 */
export class AttributeIndexes {
  readonly #indexes = new Map<string, { readonly hint: SelectorHint; readonly byValue: Index }>();

  /** Keys of the objects that may match, in no order. */
  keysFor(hint: SelectorHint, objects: Iterable<CachedObject>): ReadonlySet<string> {
    const name = `${hint.kind} ${hint.name}`;
    const index = this.#indexes.get(name) ?? { hint, byValue: build(hint, objects) };
    this.#indexes.delete(name);
    this.#indexes.set(name, index);
    const [oldest] = this.#indexes.keys();
    if (this.#indexes.size > MAX_INDEXES && oldest !== undefined) this.#indexes.delete(oldest);
    return index.byValue.get(hint.value) ?? NONE;
  }

  replace(previous: CachedObject | undefined, current: CachedObject | undefined): void {
    for (const { hint, byValue } of this.#indexes.values()) {
      const before = previous && attributeOf(previous, hint);
      const now = current && attributeOf(current, hint);
      if (before === now) continue;
      if (previous !== undefined && before !== undefined) remove(byValue, before, previous.key);
      if (current !== undefined && now !== undefined) add(byValue, now, current.key);
    }
  }

  clear(): void {
    this.#indexes.clear();
  }
}

const NONE: ReadonlySet<string> = new Set();

function build(hint: SelectorHint, objects: Iterable<CachedObject>): Index {
  const byValue: Index = new Map();
  for (const object of objects) {
    const value = attributeOf(object, hint);
    if (value !== undefined) add(byValue, value, object.key);
  }
  return byValue;
}

export function attributeOf(object: CachedObject, hint: SelectorHint): string | undefined {
  if (hint.kind === "field") return object.field(hint.name);
  return Object.hasOwn(object.labels, hint.name) ? object.labels[hint.name] : undefined;
}

function add(byValue: Index, value: string, key: string): void {
  const keys = byValue.get(value);
  if (keys === undefined) byValue.set(value, new Set([key]));
  else keys.add(key);
}

function remove(byValue: Index, value: string, key: string): void {
  const keys = byValue.get(value);
  if (keys?.delete(key) && keys.size === 0) byValue.delete(value);
}
