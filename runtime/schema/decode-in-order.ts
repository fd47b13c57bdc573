import { type KeyOrder, orderedViewSteps } from "../encoding/json/ordered-view.ts";
import { atOnce, type Steps } from "../lib/in-turns.ts";
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
  order: () => Steps<KeyOrder | undefined>,
): T {
  const problems: string[] = [];
  const inOrder = () => atOnce(problemsInOrderSteps(schema, value, options, problems, order));
  try {
    const object = schema.decode(value, { ...options, problems });
    for (const problem of problems.length < 2 ? problems : inOrder()) options.problems.push(problem);
    return object;
  } catch (error) {
    if (error instanceof DecodeError) inOrder();
    throw error;
  }
}

/** The same for a large value, which may be interrupted. */
export function* decodeInOrderSteps<T extends object>(
  schema: TypeSchema<T>,
  value: unknown,
  options: DecodeOptions & { readonly problems: string[] },
  order: () => Steps<KeyOrder | undefined>,
): Steps<T> {
  if (schema.decodeSteps === undefined) return decodeInOrder(schema, value, options, order);
  const problems: string[] = [];
  const inOrder = () => problemsInOrderSteps(schema, value, options, problems, order, true);
  try {
    const object = yield* schema.decodeSteps(value, { ...options, problems });
    yield;
    for (const problem of problems.length < 2 ? problems : yield* inOrder()) options.problems.push(problem);
    return object;
  } catch (error) {
    if (error instanceof DecodeError) yield* inOrder();
    throw error;
  }
}

/** What is read in order serves for nothing else: parts of it would be views. Throws what the reading throws. */
function* problemsInOrderSteps<T extends object>(
  schema: TypeSchema<T>,
  value: unknown,
  options: DecodeOptions,
  known: readonly string[],
  order: () => Steps<KeyOrder | undefined>,
  isLarge = false,
): Steps<readonly string[]> {
  yield;
  const keysOf = yield* order();
  if (keysOf === undefined) return known;
  const problems: string[] = [];
  const duplicates = new Map<object, readonly string[]>();
  const view = yield* viewSteps(value, keysOf, (object, seen) => {
    const keys = options.duplicates?.get(object);
    if (keys !== undefined) duplicates.set(seen, keys);
  });
  if (view === undefined) return known;
  yield;
  const reading = { ...options, problems, ...(options.duplicates && { duplicates }) };
  // Custom kinds, which have no protobuf, sort the keys of objects if they are read in steps.
  if (isLarge && schema.decodeSteps !== undefined && schema.decodeProtobufSteps !== undefined)
    yield* schema.decodeSteps(view, { ...reading, reuses: true });
  else schema.decode(view, reading);
  return problems;
}

/** Undefined for what is nested too deep to walk. */
function* viewSteps(...args: Parameters<typeof orderedViewSteps>): Steps<unknown> {
  try {
    return yield* orderedViewSteps(...args);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
