import { type KeyOrder, orderedViewSteps } from "../encoding/json/ordered-view.ts";
import { atOnce, type Steps } from "../lib/in-turns.ts";
import { DecodeError } from "./schema-errors.ts";
import type { DecodeOptions, TypeSchema } from "./type-schema.ts";

/**
 * Decodes a value and reports problems in the order in which its keys were sent. `order` is called only if there are problems. The value is
 * decoded a second time only if that order differs from the order of its keys.
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

/** Like `decodeInOrder`, for a large value; can be interrupted. */
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

/** Decodes again in the given order, only to collect problems: the result would contain views. Throws the errors of decoding. */
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
  // Custom kinds (which have no protobuf) sort keys when they are decoded in steps, so these are decoded at once.
  if (isLarge && schema.decodeSteps !== undefined && schema.decodeProtobufSteps !== undefined)
    yield* schema.decodeSteps(view, { ...reading, reuses: true });
  else schema.decode(view, reading);
  return problems;
}

/** Returns undefined if the value is nested too deeply to be traversed. */
function* viewSteps(...args: Parameters<typeof orderedViewSteps>): Steps<unknown> {
  try {
    return yield* orderedViewSteps(...args);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
