import { isGivenFloat } from "../../go/source-notes.ts";
import { invoke, type Overload } from "../libraries/library.ts";
import type { CelType } from "../types/cel-type.ts";
import { type AnyMap, CelMap, mapGet, mapKeys, OpaqueValue, Optional, TypeValue } from "../values/containers.ts";
import { conversionError, EvaluationError, noSuchKey, noSuchOverload } from "../values/evaluation-error.ts";
import { fromDynamic, toDynamic } from "../values/json.ts";
import { fits, typeNameOf } from "../values/kinds.ts";
import { Duration, durationOf } from "../values/time.ts";

/** Helper functions for generated code. */

/** Returns the error that an absorbing operator keeps: the first one. Rethrows an exceeded budget, which is not absorbed. */
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

/** Types whose values are receivers of functions in Kubernetes, whatever the function. */
const RECEIVERS = "string google.protobuf.Timestamp google.protobuf.Duration";
const NUMBERS = "int uint double";
const COMPARED = `bool bytes ${NUMBERS} ${RECEIVERS}`;
/** Functions that values implement themselves, with the types of these values. All other functions are resolved by overloads. */
const OPERATORS = new Map(
  Object.entries({
    "_+_": `bytes list ${NUMBERS} ${RECEIVERS}`,
    "_-_": `${NUMBERS} ${RECEIVERS}`,
    "_*_": `${NUMBERS} ${RECEIVERS}`,
    "_/_": `${NUMBERS} ${RECEIVERS}`,
    "_%_": `int uint ${RECEIVERS}`,
    "-_": `bool int double ${RECEIVERS}`,
    "_<_": COMPARED,
    "_<=_": COMPARED,
    "_>_": COMPARED,
    "_>=_": COMPARED,
    size: `bytes list map ${RECEIVERS}`,
    matches: RECEIVERS,
  }).map(([name, types]) => [name, new Set(types.split(" "))]),
);
/** Functions whose errors do not contain their name. */
const SILENT = new Set(["!_", "@in", "_[_]", "_[?_]", "contains", "startsWith", "endsWith", ""]);

/** Throws the error of a call for which no overload accepts the types of the arguments. The name is empty if Kubernetes replaced the function. */
export function mismatch(functionName: string, types: readonly string[]): never {
  const operator = OPERATORS.get(functionName);
  if (SILENT.has(functionName) || operator?.has(types[0] ?? "")) throw noSuchOverload();
  const called = operator === undefined ? `${functionName}(${types.join(", ")})` : functionName;
  throw new EvaluationError("no_such_overload", `no such overload: ${called}`);
}

/** Throws if the input had a float literal for an integer field, even a whole one such as `2.0`. */
export function refuseFloat(object: object, name: string): void {
  if (isGivenFloat(object, name)) throw conversionError("invalid data, expected int, got float64");
}

/** Converts a dyn argument to the type of a parameter. Throws if it has another type. */
export function guard(value: unknown, type: CelType): unknown {
  if (!fits(value, type)) throw noSuchOverload();
  return type.kind === "double" ? fromDynamic(value) : value;
}

/** Calls the first overload that accepts the values, and returns a dyn value. */
export function dispatch(functionName: string, overloads: readonly Overload[], args: readonly unknown[]): unknown {
  for (const overload of overloads) {
    if (!overload.params.every((param, i) => fits(args[i], param))) continue;
    const unboxed = args.map((arg, i) => (overload.params[i]!.kind === "double" ? fromDynamic(arg) : arg));
    return toDynamic(invoke(overload, unboxed), overload.result);
  }
  // Not declared, but negation of a duration works at run time.
  if (functionName === "-_" && args[0] instanceof Duration) return durationOf(-args[0].nanos);
  return mismatch(functionName, args.map(typeNameOf));
}

/**
 * Converts an optional that `?:` or `optMap` chose. Kubernetes converts its value to Go and back: a nested optional is unwrapped, a type becomes
 * its name, and values of most libraries are an error.
 */
export function chosenOptional(optional: unknown): unknown {
  if (!(optional instanceof Optional) || !optional.present) return optional;
  let value = optional.get();
  while (value instanceof Optional) value = value.present ? value.get() : null;
  if (value instanceof TypeValue) value = value.name;
  if (!(value instanceof OpaqueValue) || value.goType === undefined) return Optional.of(value);
  throw conversionError(`unsupported conversion to ref.Val: (${value.goType})${value}`);
}

/** Adds an entry to a map under construction. */
export function insertEntry(map: CelMap, key: unknown, value: unknown): void {
  map.insert(key, value);
}

/** Adds all entries of a map to a map under construction. */
export function insertAll(map: CelMap, entries: AnyMap): void {
  for (const key of mapKeys(entries)) map.insert(key, mapGet(entries, key));
}

export const newMap = (): CelMap => new CelMap();

export function inList(value: unknown, list: readonly unknown[], equal: (a: unknown, b: unknown) => boolean): boolean {
  for (const item of list) if (equal(item, value)) return true;
  return false;
}
