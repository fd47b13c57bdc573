import type { ListType, MapType, MergeType } from "../../contract/merge-schema.ts";
import { holdsUnwritten } from "../../go/source-notes.ts";
import { equalJson } from "../../lib/equal-json.ts";
import type { Steps } from "../../lib/in-turns.ts";
import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  keysOf,
} from "../../lib/json-object.ts";
import { FieldSet, FieldSetBuilder } from "../fieldpath/field-set.ts";
import { internWhole } from "../fieldpath/intern-set.ts";
import { fieldElement, type PathElement } from "../fieldpath/path-element.ts";
import { alwaysPresentFields, givenOrNull, NO_ZEROS, type Zeros } from "./always-present-fields.ts";
import type { Comparison } from "./comparison.ts";
import { ContentPaths, FIELDS_PER_STEP, isContainer, MAX_STEPPED_DEPTH } from "./content-paths.ts";
import { shapeOf, typeOfKeyOrDeduced } from "./shape.ts";

const NO_DIFFERENCE: Comparison = { added: FieldSet.EMPTY, removed: FieldSet.EMPTY, modified: FieldSet.EMPTY };

export interface CompareOptions {
  /**
   * Set if both values are whole objects. A missing field that is always present then counts as its zero value, and an entry without a key
   * throws ListItemError.
   */
  readonly wholeObjects?: boolean;
}

/**
 * Compares two values of a type. Atomic parts, scalars and empty containers are leaves. A struct, map or list around them that appears or
 * disappears is reported along with its content. Entries of a set or list map are matched by key; repeated entries are compared as a whole,
 * and entries without a key are ignored.
 */
export function compare(
  type: MergeType,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  options: CompareOptions = {},
): Comparison {
  if (before === after) return NO_DIFFERENCE;
  const wholeObjects = options.wholeObjects === true;
  const outline = wholeObjects ? contentOfObjects.outlineOfNew(type, before, after) : undefined;
  if (outline?.comparison !== undefined) return outline.comparison;
  const walk = new ComparisonWalk(wholeObjects);
  walk.compare(type, before, after);
  const found = walk.result();
  if (outline === undefined) return found;
  const { added, removed, modified } = found;
  const interned = internWhole(added);
  // If the set cannot be interned, `interned` is a copy, while `found` shares its parts with the cached paths.
  outline.comparison = interned.number === 0 ? found : { added: interned, removed, modified };
  return outline.comparison;
}

/** Like `compare`, for large values; can be interrupted. */
export function* compareSteps(
  type: MergeType,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  options: CompareOptions = {},
): Steps<Comparison> {
  if (before === after) return NO_DIFFERENCE;
  const walk = new ComparisonWalk(options.wholeObjects === true);
  yield* walk.compareSteps(type, before, after);
  yield;
  return walk.result();
}

const contentOfObjects = new ContentPaths(true);
const contentOfParts = new ContentPaths(false);

class ComparisonWalk {
  readonly #wholeObjects: boolean;
  readonly #content: ContentPaths;
  readonly #path: PathElement[] = [];
  readonly #added = new FieldSetBuilder();
  readonly #removed = new FieldSetBuilder();
  readonly #modified = new FieldSetBuilder();

  constructor(wholeObjects: boolean) {
    this.#wholeObjects = wholeObjects;
    this.#content = wholeObjects ? contentOfObjects : contentOfParts;
  }

  result(): Comparison {
    return { added: this.#added.build(), removed: this.#removed.build(), modified: this.#modified.build() };
  }

  compare(type: MergeType, before: JsonValue | undefined, after: JsonValue | undefined): void {
    if (before === after) return;
    if (before === undefined) {
      this.#added.graft(this.#path, this.#content.ofKnown(type, after as JsonValue));
    } else if (after === undefined) {
      this.#removed.graft(this.#path, this.#content.ofKnown(type, before));
    } else {
      // If an untyped value changes its shape, both shapes are compared: the old content is removed, the new content is added.
      const left = shapeOf(type, before);
      const right = shapeOf(type, after);
      if (left !== right) this.#compareAs(left, before, after);
      this.#compareAs(right, before, after);
    }
  }

  /** Like `compare`, interrupted between fields and entries of the upper levels. */
  *compareSteps(type: MergeType, before: JsonValue | undefined, after: JsonValue | undefined): Steps<void> {
    if (before === after) return;
    if (this.#path.length >= MAX_STEPPED_DEPTH) return this.compare(type, before, after);
    if (before === undefined) {
      this.#added.graft(this.#path, yield* this.#content.ofSteps(type, after as JsonValue, this.#path.length));
      return;
    }
    if (after === undefined) {
      this.#removed.graft(this.#path, yield* this.#content.ofSteps(type, before, this.#path.length));
      return;
    }
    const shape = shapeOf(type, after);
    if (shape.kind === "scalar" || shape.topology === "atomic" || shapeOf(type, before) !== shape) {
      this.compare(type, before, after);
    } else if (shape.kind === "map" && isJsonObject(before) && isJsonObject(after)) {
      yield* this.#compareFieldsSteps(shape, before, after);
    } else if (shape.kind === "list" && isJsonArray(after) && after.length > 0) {
      yield* this.#compareItemsSteps(shape, isJsonArray(before) ? before : [], after);
    } else {
      this.compare(type, before, after);
    }
  }

  *#compareFieldsSteps(map: MapType, before: JsonObject, after: JsonObject): Steps<void> {
    const zeros = this.#wholeObjects ? alwaysPresentFields(map) : NO_ZEROS;
    const olds = keysOf(before);
    yield;
    const news = keysOf(after);
    if (olds.length === 0 && news.length === 0) return this.#compareLeaf(before, after);
    for (let i = 0; i < olds.length; i++) {
      if (i % FIELDS_PER_STEP === FIELDS_PER_STEP - 1) yield;
      const key = olds[i] as string;
      const value = before[key] as JsonValue;
      const other = otherSide(zeros, after, key);
      if (value !== other) yield* this.#descendSteps(fieldElement(key), typeOfKeyOrDeduced(map, key), value, other);
    }
    for (let i = 0; i < news.length; i++) {
      if (i % FIELDS_PER_STEP === FIELDS_PER_STEP - 1) yield;
      const key = news[i] as string;
      if (hasOwn(before, key)) continue;
      const value = (after[key] ?? givenOrNull(after, key)) as JsonValue;
      yield* this.#descendSteps(fieldElement(key), typeOfKeyOrDeduced(map, key), zeroIn(zeros, before, key), value);
    }
  }

  *#compareItemsSteps(list: ListType, before: JsonArray, after: JsonArray): Steps<void> {
    if (before.length === 0 && after.length === 0) return this.#compareLeaf(before, after);
    if (equalJson(before, after) && !holdsUnwritten(after)) return;
    yield;
    const left = yield* this.#groupItemsSteps(list, before);
    yield;
    const right = yield* this.#groupItemsSteps(list, after);
    let count = 0;
    for (const [element, items] of left) {
      if (++count % FIELDS_PER_STEP === 0) yield;
      yield* this.#compareGroupSteps(list, element, items, right.get(element) ?? []);
    }
    for (const [element, items] of right) {
      if (++count % FIELDS_PER_STEP === 0) yield;
      if (!left.has(element)) yield* this.#compareGroupSteps(list, element, [], items);
    }
  }

  *#compareGroupSteps(list: ListType, element: PathElement, before: JsonArray, after: JsonArray): Steps<void> {
    if (before.length <= 1 && after.length <= 1) yield* this.#descendSteps(element, list.element, before[0], after[0]);
    else this.#compareGroup(list, element, before, after);
  }

  *#descendSteps(
    element: PathElement,
    type: MergeType,
    before: JsonValue | undefined,
    after: JsonValue | undefined,
  ): Steps<void> {
    if (!isContainer(before) && !isContainer(after)) return this.#descend(element, type, before, after);
    this.#path.push(element);
    yield* this.compareSteps(type, before, after);
    this.#path.pop();
  }

  #compareAs(shape: ReturnType<typeof shapeOf>, before: JsonValue, after: JsonValue): void {
    if (shape.kind === "scalar") {
      this.#compareLeaf(before, after);
      return;
    }
    if (shape.kind === "list") {
      const left = isJsonArray(before) ? before : undefined;
      const right = isJsonArray(after) ? after : undefined;
      if (shape.topology === "atomic" || (isEmptyList(left) && isEmptyList(right))) {
        this.#compareLeaf(before, after);
        return;
      }
      this.#compareItems(shape, left ?? [], right ?? []);
    } else {
      const left = isJsonObject(before) ? before : undefined;
      const right = isJsonObject(after) ? after : undefined;
      if (shape.topology === "atomic" || (isEmptyMap(left) && isEmptyMap(right))) {
        this.#compareLeaf(before, after);
        return;
      }
      this.#compareFields(shape, left, right);
    }
  }

  /** Compares leaves. A list also counts as modified if it contains fields that were sent empty or omitted and that only Go distinguishes. */
  #compareLeaf(before: JsonValue, after: JsonValue): void {
    if (!equalJson(before, after) || (isJsonArray(after) && holdsUnwritten(after))) this.#modified.insert(this.#path);
  }

  #compareFields(map: MapType, before: JsonObject | undefined, after: JsonObject | undefined): void {
    const zeros = this.#wholeObjects ? alwaysPresentFields(map) : NO_ZEROS;
    if (before !== undefined) {
      for (const key of Object.keys(before)) {
        const value = before[key] as JsonValue;
        const other = otherSide(zeros, after, key);
        if (value !== other) this.#descend(fieldElement(key), typeOfKeyOrDeduced(map, key), value, other);
      }
    }
    if (after !== undefined) {
      for (const key of Object.keys(after)) {
        if (hasOwn(before, key)) continue;
        this.#descend(
          fieldElement(key),
          typeOfKeyOrDeduced(map, key),
          zeroIn(zeros, before, key),
          (after[key] ?? givenOrNull(after, key)) as JsonValue,
        );
      }
    }
    // Handles always-present fields, if one side has the object without the field and the other side has no object.
    if (before === undefined || after === undefined) {
      for (const [key, zero] of zeros) {
        if (hasOwn(before, key) || hasOwn(after, key)) continue;
        const type = typeOfKeyOrDeduced(map, key);
        if (before === undefined) this.#descend(fieldElement(key), type, undefined, zero);
        else this.#descend(fieldElement(key), type, zero, undefined);
      }
    }
  }

  #compareItems(list: ListType, before: JsonArray, after: JsonArray): void {
    if (equalJson(before, after) && !holdsUnwritten(after)) return;
    const left = this.#groupItems(list, before);
    const right = this.#groupItems(list, after);
    for (const [element, items] of left) this.#compareGroup(list, element, items, right.get(element) ?? []);
    for (const [element, items] of right) {
      if (!left.has(element)) this.#compareGroup(list, element, [], items);
    }
  }

  #compareGroup(list: ListType, element: PathElement, before: JsonArray, after: JsonArray): void {
    if (before.length <= 1 && after.length <= 1) {
      this.#descend(element, list.element, before[0], after[0]);
    } else if (before.length >= 2 && after.length >= 2) {
      if (!equalJson(before, after)) this.#insertAt(this.#modified, element);
    } else if (before.length >= 2) {
      if (after.length === 1) this.#descend(element, list.element, undefined, after[0]);
      this.#insertAt(this.#removed, element);
    } else {
      if (before.length === 1) this.#descend(element, list.element, before[0], undefined);
      this.#insertAt(this.#added, element);
    }
  }

  #descend(element: PathElement, type: MergeType, before: JsonValue | undefined, after: JsonValue | undefined): void {
    this.#path.push(element);
    this.compare(type, before, after);
    this.#path.pop();
  }

  /** Groups entries by element, in order of first appearance. */
  #groupItems(list: ListType, items: JsonArray): Map<PathElement, JsonValue[]> {
    const groups = new Map<PathElement, JsonValue[]>();
    for (const item of items) this.#addToGroup(groups, list, item);
    return groups;
  }

  *#groupItemsSteps(list: ListType, items: JsonArray): Steps<Map<PathElement, JsonValue[]>> {
    const groups = new Map<PathElement, JsonValue[]>();
    for (let i = 0; i < items.length; i++) {
      if (i % FIELDS_PER_STEP === FIELDS_PER_STEP - 1) yield;
      this.#addToGroup(groups, list, items[i] as JsonValue);
    }
    return groups;
  }

  #addToGroup(groups: Map<PathElement, JsonValue[]>, list: ListType, item: JsonValue): void {
    const element = this.#content.elementOf(list, item);
    if (element === undefined) return;
    const group = groups.get(element);
    if (group === undefined) groups.set(element, [item]);
    else group.push(item);
  }

  #insertAt(builder: FieldSetBuilder, element: PathElement): void {
    builder.insert([...this.#path, element]);
  }
}

function isEmptyList(list: JsonArray | undefined): boolean {
  return list === undefined || list.length === 0;
}

function isEmptyMap(map: JsonObject | undefined): boolean {
  if (map === undefined) return true;
  for (const _key in map) return false;
  return true;
}

function hasOwn(object: JsonObject | undefined, key: string): boolean {
  return object !== undefined && Object.hasOwn(object, key);
}

/** Returns the zero value of a field that `object` lacks. Undefined if there is no object. */
function zeroIn(zeros: Zeros, object: JsonObject | undefined, key: string): JsonValue | undefined {
  return object === undefined ? undefined : zeros.get(key);
}

/** Returns the new value of a field that the old object had. */
function otherSide(zeros: Zeros, after: JsonObject | undefined, key: string): JsonValue | undefined {
  return getOwn(after, key) ?? (hasOwn(after, key) ? givenOrNull(after, key) : zeroIn(zeros, after, key));
}
