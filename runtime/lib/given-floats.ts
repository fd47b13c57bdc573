import { FloatLiteral } from "./float-literal.ts";

/**
 * Whole numbers of objects without Go types that were written with a fraction or an exponent. What is stored knows no difference, yet
 * Go holds them as floats for as long as the request lasts, and messages tell. What is noted belongs to the very object or list.
 */
const noted = new WeakMap<object, Set<string>>();

export function noteGivenFloat(holder: object, key: string | number): void {
  const known = noted.get(holder);
  if (known === undefined) noted.set(holder, new Set([String(key)]));
  else known.add(String(key));
}

export function carryGivenFloats(holder: object, copy: object): void {
  const known = noted.get(holder);
  if (known !== undefined && !noted.has(copy)) noted.set(copy, known);
}

/** A member as it was given: the literal of a number that was written as a float. */
export function withGivenFloat<T>(holder: object, key: string | number, member: T): T | FloatLiteral {
  if (typeof member !== "number" || !noted.get(holder)?.has(String(key))) return member;
  return new FloatLiteral(String(member));
}
