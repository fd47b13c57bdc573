import type { Steps } from "./in-turns.ts";
import { isJsonObject, keysOf, MEMBERS_PER_STEP } from "./json-object.ts";

/** Whether two plain JSON values are equal. Ignores the order of keys; a member with the value `undefined` is equivalent to an absent one. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) {
    return true;
  }
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) {
    return isLargeAndEqual(a, b) || isLargeAndEqual(b, a);
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && equalLists(a, b);
  }
  return equalObjects(a as Record<string, unknown>, b as Record<string, unknown>);
}

/** Like `equalJson`, for large objects. Can be interrupted between members of the upper levels. */
export function* equalJsonSteps(a: unknown, b: unknown, depth = 0): Steps<boolean> {
  if (a === b || depth > 3 || !isJsonObject(a) || !isJsonObject(b)) return equalJson(a, b);
  const keys = keysOf(a);
  yield;
  const others = keysOf(b);
  let unshared = others.length;
  for (let i = 0; i < keys.length; i++) {
    if (i % MEMBERS_PER_STEP === 0) yield;
    const key = keys[i] as string;
    const [value, other] = [a[key], b[key]];
    if (value === undefined) continue;
    if (value !== other && !(Object.hasOwn(b, key) && (yield* equalJsonSteps(value, other, depth + 1)))) return false;
    unshared--;
  }
  for (let i = 0; i < others.length && unshared > 0; i++) {
    if (i % MEMBERS_PER_STEP === 0) yield;
    if (b[others[i] as string] === undefined) unshared--;
  }
  return unshared === 0;
}

/** Numbers beyond 64 bits are floats to Go, regardless of their notation. */
function isLargeAndEqual(a: unknown, b: unknown): boolean {
  return typeof a === "bigint" && typeof b === "number" && Number(a) === b;
}

function equalLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) {
    return false;
  }
  for (let i = 0; i < a.length; i++) {
    if (!equalJson(a[i], b[i])) {
      return false;
    }
  }
  return true;
}

/** Allocates no memory: it traverses whole objects, several times per request. */
function equalObjects(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  let unshared = 0;
  for (const key in b) if (b[key] !== undefined) unshared++;
  for (const key in a) {
    const value = a[key];
    if (value === undefined) continue;
    // An inherited property is not equal to any JSON value.
    const other = b[key];
    if (value !== other && !(Object.hasOwn(b, key) && equalJson(value, other))) return false;
    unshared--;
  }
  return unshared === 0;
}
