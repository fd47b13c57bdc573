import type { ListType, MapType, MergeType } from "../../contract/merge-schema.ts";
import { equalJson } from "../../lib/equal-json.ts";
import type { Steps } from "../../lib/in-turns.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, keysOf } from "../../lib/json-object.ts";
import { type FieldSetNode, LEAF } from "../fieldpath/field-set.ts";
import { internSet } from "../fieldpath/intern-set.ts";
import { fieldElement, type PathElement } from "../fieldpath/path-element.ts";
import { alwaysPresentFields, givenOrNull } from "./always-present-fields.ts";
import {
  CHANGED,
  ContentMemo,
  costOf,
  END,
  INSIDE,
  MAX_OUTLINE_COST,
  type OutlineStep,
  type OutlineTree,
  SAME,
  type Token,
} from "./content-memo.ts";
import { findItemElement, itemElement, ListItemError } from "./list-items.ts";
import { shapeOf, typeOfKeyOrDeduced } from "./shape.ts";

/** Number of fields or entries that are processed in one step. */
export const FIELDS_PER_STEP = 500;
/** Values nested more deeply are processed in one step. */
export const MAX_STEPPED_DEPTH = 12;

/** Longer names are not cached. */
const MAX_NAME_LENGTH = 1024;

const NO_MEMBERS: JsonObject = Object.freeze({});

/** Computes the paths of values: of whole objects, or of parts. */
export class ContentPaths {
  /** If set, missing fields that are always present count, and an entry without a key throws ListItemError. */
  readonly #wholeObjects: boolean;
  readonly #memo = new ContentMemo();
  readonly #newObjects = new ContentMemo();
  /** Remaining cost of the current outline. Negative if the outline is too long. */
  #costLeft = 0;
  /** Cost of the existing names of the new object whose outline is being followed, without added names. */
  #namesCost = 0;

  constructor(wholeObjects: boolean) {
    this.#wholeObjects = wholeObjects;
  }

  /** Like `of`, but cached for values with the same paths. */
  ofKnown(type: MergeType, value: JsonValue): FieldSetNode {
    const outlines = this.#memo.outlinesOf(type);
    this.#costLeft = MAX_OUTLINE_COST;
    const end = this.#follow(outlines, outlines.root, type, value);
    if (this.#costLeft < 0) return this.of(type, value);
    if (end === outlines.root) return LEAF;
    end.content ??= this.of(type, value);
    return end.content;
  }

  /** Returns all paths of a value. */
  of(type: MergeType, value: JsonValue): FieldSetNode {
    const shape = shapeOf(type, value);
    if (shape.kind === "scalar" || shape.topology === "atomic") return LEAF;
    const nodes = new Map<PathElement, FieldSetNode>();
    if (shape.kind === "map") {
      if (isJsonObject(value)) this.#addFields(nodes, shape, value);
    } else if (isJsonArray(value)) {
      for (const item of value) {
        const element = this.elementOf(shape, item);
        // For repeated entries, only the entry itself counts.
        if (element !== undefined) nodes.set(element, nodes.has(element) ? LEAF : this.of(shape.element, item));
      }
    }
    return nodes.size === 0 ? LEAF : { member: true, children: internSet(nodes) };
  }

  #addFields(nodes: Map<PathElement, FieldSetNode>, map: MapType, object: JsonObject): void {
    const keys = Object.keys(object);
    for (const key of keys) {
      const value = object[key];
      if (value !== undefined) nodes.set(fieldElement(key), this.of(typeOfKeyOrDeduced(map, key), value));
    }
    if (keys.length > 0) this.#addZeros(nodes, map, object);
  }

  /** Adds fields that are always present and that the object lacks. */
  #addZeros(nodes: Map<PathElement, FieldSetNode>, map: MapType, object: JsonObject): void {
    if (!this.#wholeObjects) return;
    for (const [key, zero] of alwaysPresentFields(map)) {
      if (!Object.hasOwn(object, key)) nodes.set(fieldElement(key), this.of(typeOfKeyOrDeduced(map, key), zero));
    }
  }

  /** Like `of`, interrupted between fields and entries of the upper levels. */
  *ofSteps(type: MergeType, value: JsonValue, depth: number): Steps<FieldSetNode> {
    const shape = shapeOf(type, value);
    if (shape.kind === "scalar" || shape.topology === "atomic" || depth >= MAX_STEPPED_DEPTH || !isContainer(value))
      return this.of(type, value);
    const nodes = new Map<PathElement, FieldSetNode>();
    let count = 0;
    if (shape.kind === "map" && isJsonObject(value)) {
      const keys = keysOf(value);
      for (const key of keys) {
        if (++count % FIELDS_PER_STEP === 0) yield;
        const member = value[key];
        if (member !== undefined)
          nodes.set(fieldElement(key), yield* this.ofSteps(typeOfKeyOrDeduced(shape, key), member, depth + 1));
      }
      if (keys.length > 0) this.#addZeros(nodes, shape, value);
    } else if (shape.kind === "list" && isJsonArray(value)) {
      for (const item of value) {
        if (++count % FIELDS_PER_STEP === 0) yield;
        const element = this.elementOf(shape, item);
        if (element === undefined) continue;
        const isTwice = nodes.has(element);
        nodes.set(element, isTwice ? LEAF : yield* this.ofSteps(shape.element, item, depth + 1));
      }
    }
    return nodes.size === 0 ? LEAF : { member: true, children: internSet(nodes) };
  }

  /** Returns the element of a list entry. Undefined if it has no key and that is permitted. */
  elementOf(list: ListType, item: JsonValue): PathElement | undefined {
    return this.#wholeObjects ? itemElement(list, item) : findItemElement(list, item);
  }

  /** Returns the step at the end of a value's outline, starting from a step. Returns `from` for a leaf. Stops early if the outline is too long. */
  #follow(outlines: OutlineTree, from: OutlineStep, type: MergeType, value: JsonValue): OutlineStep {
    const shape = shapeOf(type, value);
    if (this.#costLeft < 0 || shape.kind === "scalar" || shape.topology === "atomic") return from;
    const inside = this.#next(outlines, from, INSIDE);
    let step = inside;
    if (shape.kind === "map") {
      if (!isJsonObject(value)) return from;
      for (const key in value) {
        const member = value[key];
        if (member === undefined) continue;
        step = this.#next(outlines, step, key);
        if (this.#costLeft < 0) break;
        step.type ??= typeOfKeyOrDeduced(shape, key);
        step = this.#follow(outlines, step, step.type, member);
      }
    } else if (isJsonArray(value)) {
      for (const item of value) {
        const element = this.elementOf(shape, item);
        if (element === undefined) continue;
        step = this.#follow(outlines, this.#next(outlines, step, element), shape.element, item);
        if (this.#costLeft < 0) break;
      }
    }
    return step === inside ? from : this.#next(outlines, step, END);
  }

  /**
   * Returns the end of the outline of a new whole object, if the old object has only apiVersion and kind. Objects with the same end have the same
   * difference to an object with no fields set. Undefined for other changes, and for those that rarely repeat.
   */
  outlineOfNew(type: MergeType, before: JsonValue | undefined, after: JsonValue | undefined): OutlineStep | undefined {
    if (type.kind !== "map" || type.topology === "atomic" || !isJsonObject(before) || !isJsonObject(after))
      return undefined;
    for (const key in before)
      if ((key !== "apiVersion" && key !== "kind") || before[key] !== after[key]) return undefined;
    const outlines = this.#newObjects.outlinesOf(type);
    this.#namesCost = 0;
    try {
      const end = this.#followNew(outlines, outlines.root, type, before, after);
      // The comparison contains all these names, including those of steps that outlines share.
      return end && outlines.next(end, END, costOf(END) + this.#namesCost);
    } catch (error) {
      if (error instanceof ListItemError) return undefined;
      throw error;
    }
  }

  /** Follows the outline of an object that replaces one with no fields set, whose fields have zero values. Added values count by their paths. */
  #followNew(
    outlines: OutlineTree,
    from: OutlineStep,
    map: MapType,
    before: JsonObject,
    after: JsonObject,
  ): OutlineStep | undefined {
    const zeros = alwaysPresentFields(map);
    let step: OutlineStep | undefined = outlines.next(from, INSIDE);
    for (const key in after) {
      if (Object.hasOwn(before, key)) continue;
      this.#namesCost += costOf(key);
      if (key.length > MAX_NAME_LENGTH || this.#namesCost > MAX_OUTLINE_COST) return undefined;
      const value = (after[key] ?? givenOrNull(after, key)) as JsonValue;
      const type = typeOfKeyOrDeduced(map, key);
      step = this.#followFromZero(outlines, outlines.next(step, key), type, zeros.get(key), value);
      if (step === undefined) return undefined;
    }
    return outlines.next(step, END);
  }

  #followFromZero(
    outlines: OutlineTree,
    from: OutlineStep,
    type: MergeType,
    zero: JsonValue | undefined,
    value: JsonValue,
  ): OutlineStep | undefined {
    if (zero === undefined) return this.#followAdded(outlines, from, type, value);
    if (type.kind === "untyped") return undefined;
    if (type.kind === "scalar" || type.topology === "atomic" || !isContainer(value))
      return outlines.next(from, equalJson(zero, value) ? SAME : CHANGED);
    if (type.kind === "map" && isJsonObject(value)) return this.#followNew(outlines, from, type, NO_MEMBERS, value);
    return isJsonArray(value) && zero === null ? this.#followAdded(outlines, from, type, value) : undefined;
  }

  #followAdded(outlines: OutlineTree, from: OutlineStep, type: MergeType, value: JsonValue): OutlineStep | undefined {
    const content = this.ofKnown(type, value);
    return this.#costLeft < 0 ? undefined : outlines.next(from, content, MAX_OUTLINE_COST - this.#costLeft);
  }

  /** Returns the next step, or the same step if the outline is too long, so that no more of it is stored. */
  #next(outlines: OutlineTree, step: OutlineStep, token: Token): OutlineStep {
    this.#costLeft -= costOf(token);
    return this.#costLeft < 0 ? step : outlines.next(step, token);
  }
}

export function isContainer(value: JsonValue | undefined): boolean {
  return typeof value === "object" && value !== null;
}
