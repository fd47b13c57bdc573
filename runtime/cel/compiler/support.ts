import { invoke, type Overload } from "../libraries/library.ts";
import type { CelType } from "../types/cel-type.ts";
import { type AnyMap, CelMap, mapGet, mapKeys } from "../values/containers.ts";
import { EvaluationError, noSuchKey, noSuchOverload } from "../values/evaluation-error.ts";
import { fromDynamic, toDynamic } from "../values/json.ts";
import { fits } from "../values/kinds.ts";

/** Helper functions for generated code. */

/** The error that an absorbing operator keeps: the first one. An exceeded budget is not absorbed. */
export function absorb(thrown: unknown, earlier: unknown): unknown {
  const error = thrown instanceof EvaluationError ? thrown : noSuchOverload();
  if (error.code === "cost_exceeded") throw error;
  return earlier ?? error;
}

export function missingVariable(name: string): never {
  throw new EvaluationError("no_such_attribute", `no such attribute(s): ${name}`);
}

export function missingKey(name: string): never {
  throw noSuchKey(name);
}

export function fail(message: string): never {
  throw new EvaluationError("no_such_overload", message);
}

/** Reads a property whose name is also a property of `Object.prototype`. */
export function ownProperty(object: unknown, name: string): unknown {
  return typeof object === "object" && object !== null && Object.hasOwn(object, name)
    ? (object as Record<string, unknown>)[name]
    : undefined;
}

/** Converts a dyn argument to the type of a parameter. Throws if it has another type. */
export function guard(value: unknown, type: CelType): unknown {
  if (!fits(value, type)) throw noSuchOverload();
  return type.kind === "double" ? fromDynamic(value) : value;
}

/** Calls the first overload that the values fit, and returns a dyn value. */
export function dispatch(overloads: readonly Overload[], args: readonly unknown[]): unknown {
  for (const overload of overloads) {
    if (!overload.params.every((param, i) => fits(args[i], param))) continue;
    const unboxed = args.map((arg, i) => (overload.params[i]!.kind === "double" ? fromDynamic(arg) : arg));
    return toDynamic(invoke(overload, unboxed), overload.result);
  }
  throw noSuchOverload();
}

/** Puts an entry into a map under construction. */
export function insertEntry(map: CelMap, key: unknown, value: unknown): void {
  map.insert(key, value);
}

/** Puts every entry of a map into one under construction. */
export function insertAll(map: CelMap, entries: AnyMap): void {
  for (const key of mapKeys(entries)) map.insert(key, mapGet(entries, key));
}

export const newMap = (): CelMap => new CelMap();

export function inList(value: unknown, list: readonly unknown[], equal: (a: unknown, b: unknown) => boolean): boolean {
  for (const item of list) if (equal(item, value)) return true;
  return false;
}
