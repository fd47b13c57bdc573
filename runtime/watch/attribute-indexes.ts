import { inTurnsIfLong, type WaitingSteps } from "../lib/in-turns.ts";
import type { CachedObject } from "./cached-object.ts";
import type { SelectorHint } from "./requests.ts";
import { type ObjectMap, READ_STEP, readToMatch, STEP } from "./select-page.ts";

/** Maximum number of indexes per resource. The least recently used one is dropped. */
const MAX_INDEXES = 8;

type ByValue = Map<string, Set<string>>;

interface Index {
  readonly hint: SelectorHint;
  readonly byValue: ByValue;
  /** Objects whose value is unknown because they cannot be read: they may match any selector. */
  readonly unreadable: Set<string>;
  /** Resolves when the index contains all objects; undefined once it does. */
  building: Promise<void> | undefined;
}

/**
 * Indexes objects by the labels and fields that selectors use. An index is built when a selector first needs it and is kept up to date from
 * then on.
 */
export class AttributeIndexes {
  readonly #indexes = new Map<string, Index>();

  /**
   * Builds the index that a selector needs, unless it exists. With many objects this takes several turns of the event loop, in which
   * objects may change. Resolves when the index is complete.
   */
  prepare(hint: SelectorHint, objects: ObjectMap): Promise<void> | undefined {
    const name = nameOf(hint);
    const found = this.#indexes.get(name);
    if (found !== undefined) return found.building;
    const index: Index = { hint, byValue: new Map(), unreadable: new Set(), building: undefined };
    // From now on, `replace` updates this index, whether or not the changed objects have already been added.
    this.#indexes.set(name, index);
    try {
      const building = inTurnsIfLong(addAll(index, objects));
      index.building = building instanceof Promise ? this.#completed(index, building) : undefined;
    } catch (error) {
      this.#indexes.delete(name);
      throw error;
    }
    return index.building;
  }

  async #completed(index: Index, building: Promise<void>): Promise<void> {
    try {
      await building;
      index.building = undefined;
    } catch (error) {
      // An object cannot be read: the next list builds the index again.
      if (this.#indexes.get(nameOf(index.hint)) === index) this.#indexes.delete(nameOf(index.hint));
      throw error;
    }
  }

  /** Keys of the objects that may match, in no order. Undefined if there is no complete index. */
  keysFor(hint: SelectorHint): ReadonlySet<string> | undefined {
    const name = nameOf(hint);
    const index = this.#indexes.get(name);
    if (index === undefined || index.building !== undefined) return undefined;
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
const FIRST_KEY = "";
/** Greater than all keys. */
const LAST_KEY = "\uffff";
const STOP = { break: true };

function nameOf({ kind, name }: SelectorHint): string {
  return `${kind} ${name}`;
}

/**
 * Adds all objects in key order. `replace` updates objects that change in the meantime; if they come later in this order, they are then
 * added again in their new state.
 */
function* addAll(index: Index, objects: ObjectMap): WaitingSteps<void> {
  const { kind, name } = index.hint;
  const selector = kind === "field" ? { reads: (object: CachedObject) => object.readsField(name) } : undefined;
  let from = FIRST_KEY;
  for (let more = true; more; ) {
    const reading = readToMatch(objects, from, LAST_KEY, selector);
    if (reading !== undefined) yield reading;
    let count = 0;
    more = false;
    objects.forRange(from, LAST_KEY, false, (key, object) => {
      if (count === (selector === undefined ? STEP : READ_STEP)) {
        from = key;
        more = true;
        return STOP;
      }
      add(index, object);
      count += 1;
      return undefined;
    });
    if (more) yield undefined;
  }
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
