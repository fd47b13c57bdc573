import type { TypeExpr, TypeRef, TypeSource } from "../../runtime/contract/type-table.ts";
import { definitionOf, fieldsOf } from "../fixtures/type-fields.ts";

/** A step of a path to a field: a key, or any entry of a list or map. */
export type PathStep = string | "[]" | "{}";

/** A field of a kind, given by its path. */
export interface FieldPath {
  readonly steps: readonly PathStep[];
  /** A string of a special form (a time, a quantity …) is rejected by the decoder. */
  readonly is: "string" | "formed" | "list" | "map";
  /** Type of the string, or of the entries of the list or map. */
  readonly of: TypeExpr;
  /** Struct type and field, which several kinds can share: `core/v1.PodSpec.nodeName`. */
  readonly place: string;
}

/** Scalars that are always or sometimes strings in JSON. */
const STRINGS = new Set(["string", "intOrString"]);
const FORMED = new Set(["bytes", "time", "microTime", "duration", "quantity", "json", "rawObject"]);

/** Returns every field of a kind that is a string, a list or a map. Recursive types are expanded only once. */
export function fieldPathsOf(types: TypeSource, root: TypeRef): FieldPath[] {
  const found: FieldPath[] = [];

  const visitStruct = (ref: TypeRef, steps: readonly PathStep[], within: readonly string[]): void => {
    for (const field of fieldsOf(types, ref)) {
      if (steps.length === 0 && (field.name === "kind" || field.name === "apiVersion")) continue;
      visit(field.type, [...steps, field.name], `${ref}.${field.name}`, [...within, ref]);
    }
  };
  const visit = (type: TypeExpr, steps: readonly PathStep[], place: string, within: readonly string[]): void => {
    if (typeof type === "object") {
      const isList = "list" in type;
      const of = isList ? type.list : type.map;
      found.push({ steps, is: isList ? "list" : "map", of, place });
      visit(of, [...steps, isList ? "[]" : "{}"], `${place}[]`, within);
    } else if (!type.includes(".")) {
      if (STRINGS.has(type)) found.push({ steps, is: "string", of: type, place });
      if (FORMED.has(type)) found.push({ steps, is: "formed", of: type, place });
    } else if (!within.includes(type)) {
      const definition = definitionOf(types, type as TypeRef);
      if ("fields" in definition) visitStruct(type as TypeRef, steps, within);
      else visit(definition.is, steps, place, within);
    }
  };
  visitStruct(root, [], []);
  return found;
}

/** Sets a value at a path and creates its parents. */
export function setAt(object: Record<string, unknown>, steps: readonly PathStep[], value: unknown): void {
  let holder: Record<string, unknown> | unknown[] = object;
  for (const [index, step] of steps.entries()) {
    const key = step === "[]" ? "0" : step === "{}" ? "key-0" : step;
    const held = holder as Record<string, unknown>;
    if (index === steps.length - 1) {
      held[key] = value;
      return;
    }
    const isList = steps[index + 1] === "[]";
    const next = held[key];
    if (typeof next !== "object" || next === null || Array.isArray(next) !== isList) held[key] = isList ? [] : {};
    holder = held[key] as Record<string, unknown>;
  }
}

export function getAt(object: unknown, steps: readonly PathStep[]): unknown {
  let value = object;
  for (const step of steps) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[step === "[]" ? "0" : step === "{}" ? "key-0" : step];
  }
  return value;
}
