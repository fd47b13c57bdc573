import { type KeyOrder, orderedView } from "../encoding/json/ordered-view.ts";
import type { Steps } from "../lib/in-turns.ts";
import { DecodeError } from "./schema-errors.ts";
import type { DecodeOptions, TypeSchema } from "./type-schema.ts";

/**
 * Decodes a value, and tells what is wrong with it in the order of its keys. `order` is asked only when there is something to tell;
 * without one that differs from the order of the value itself, nothing is read twice.
 */
export function decodeInOrder<T extends object>(
  schema: TypeSchema<T>,
  value: unknown,
  options: DecodeOptions & { readonly problems: string[] },
  order: () => KeyOrder | undefined,
): T {
  const problems: string[] = [];
  try {
    const object = schema.decode(value, { ...options, problems });
    const told = problems.length < 2 ? problems : problemsInOrder(schema, value, options, problems, order());
    for (const problem of told) options.problems.push(problem);
    return object;
  } catch (error) {
    if (error instanceof DecodeError) problemsInOrder(schema, value, options, problems, order());
    throw error;
  }
}

/** The same for a large value, which may be interrupted. */
export function* decodeInOrderSteps<T extends object>(
  schema: TypeSchema<T>,
  value: unknown,
  options: DecodeOptions & { readonly problems: string[] },
  order: () => KeyOrder | undefined,
): Steps<T> {
  if (schema.decodeSteps === undefined) return decodeInOrder(schema, value, options, order);
  const problems: string[] = [];
  try {
    const object = yield* schema.decodeSteps(value, { ...options, problems });
    yield;
    const told = problems.length < 2 ? problems : problemsInOrder(schema, value, options, problems, order());
    for (const problem of told) options.problems.push(problem);
    return object;
  } catch (error) {
    if (error instanceof DecodeError) problemsInOrder(schema, value, options, problems, order());
    throw error;
  }
}

/** What is read in order serves for nothing else: parts of it would be views. Throws what the reading throws. */
function problemsInOrder<T extends object>(
  schema: TypeSchema<T>,
  value: unknown,
  options: DecodeOptions,
  known: readonly string[],
  keysOf: KeyOrder | undefined,
): readonly string[] {
  if (keysOf === undefined) return known;
  const problems: string[] = [];
  const duplicates = new Map<object, readonly string[]>();
  const view = viewOf(value, keysOf, (object, seen) => {
    const keys = options.duplicates?.get(object);
    if (keys !== undefined) duplicates.set(seen, keys);
  });
  if (view === undefined) return known;
  schema.decode(view, { ...options, problems, ...(options.duplicates && { duplicates }) });
  return problems;
}

/** Undefined for what is nested too deep to walk. */
function viewOf(...args: Parameters<typeof orderedView>): unknown {
  try {
    return orderedView(...args);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
