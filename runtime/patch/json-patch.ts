import { atOnce, type Steps } from "../lib/in-turns.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "../lib/json-object.ts";
import { goJsonKind } from "./go-json-kind.ts";
import { JsonPatchDocument } from "./json-patch-document.ts";
import { PatchError } from "./patch-error.ts";

export interface JsonPatchLimits {
  readonly maxOperations: number;
  /** Maximum number of bytes of JSON that all `copy` operations in total may add. */
  readonly maxCopyBytes: number;
  /** Maximum number of list entries that all operations in total may shift by adding and removing entries before them. */
  readonly maxMovedEntries: number;
}

/**
 * The first two limits are those of Kubernetes. The third one is for patches that repeatedly add to the front of a list with hundreds of
 * thousands of entries; 10,000 operations on a list of 10,000 entries are within it.
 */
const DEFAULT_JSON_PATCH_LIMITS: JsonPatchLimits = {
  maxOperations: 10_000,
  maxCopyBytes: 3 * 1024 * 1024,
  maxMovedEntries: 100_000_000,
};

interface Operation {
  readonly op: string;
  readonly path: string | undefined;
  readonly from: string | undefined;
  readonly value: JsonValue;
}

/**
 * JSON Patch (RFC 6902) with the deviations of Kubernetes: an index may be negative (from the end) or have leading zeros, `replace` may add
 * a member, an absent member passes a test for null, a missing value is null, and anything before the first slash of a path is ignored.
 *
 * Neither argument is changed. Throws PatchError.
 */
export function applyJsonPatch(
  document: JsonValue,
  patch: JsonValue,
  limits: JsonPatchLimits = DEFAULT_JSON_PATCH_LIMITS,
): JsonValue {
  return atOnce(jsonPatchSteps(document, patch, { limits }));
}

/** Like `applyJsonPatch`, in steps between which the caller may pause, also while parts of a large document are copied. */
export function* jsonPatchSteps(
  document: JsonValue,
  patch: JsonValue,
  options: { readonly limits?: JsonPatchLimits; readonly isLarge?: boolean } = {},
): Steps<JsonValue> {
  const { limits = DEFAULT_JSON_PATCH_LIMITS, isLarge = false } = options;
  const operations = decodeOperations(patch, limits);
  const patched = new JsonPatchDocument(document, limits);
  for (const operation of operations) {
    if (isLarge) {
      yield;
      if (operation.from !== undefined) yield* patched.prepareSteps(operation.from);
      if (operation.path !== undefined) yield* patched.prepareSteps(operation.path);
    }
    applyOperation(patched, operation);
  }
  return patched.root;
}

function decodeOperations(patch: JsonValue, limits: JsonPatchLimits): Operation[] {
  if (patch !== null && !isJsonArray(patch)) throw unreadable(patch, "jsonpatch.Patch");
  const operations = (patch ?? []).map((operation) => {
    if (operation !== null && !isJsonObject(operation)) throw unreadable(operation, "jsonpatch.Operation");
    const object: JsonObject = operation ?? {};
    return {
      op: textOf(object, "op") ?? "unknown",
      path: textOf(object, "path"),
      from: textOf(object, "from"),
      value: Object.hasOwn(object, "value") ? (object.value as JsonValue) : null,
    };
  });
  if (operations.length > limits.maxOperations) {
    const allowed = `The allowed maximum operations in a JSON patch is ${limits.maxOperations}, got ${operations.length}`;
    throw new PatchError("TooManyOperations", allowed);
  }
  return operations;
}

function textOf(operation: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(operation, name) ? operation[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

function unreadable(value: JsonValue, expected: string): PatchError {
  return new PatchError("BadPatch", `json: cannot unmarshal ${goJsonKind(value)} into Go value of type ${expected}`);
}

const APPLY: ReadonlyMap<string, (document: JsonPatchDocument, operation: Operation) => void> = new Map([
  ["add", (document, operation) => document.add(pathOf(operation), operation.value)],
  ["remove", (document, operation) => document.remove(pathOf(operation))],
  ["replace", (document, operation) => document.replace(pathOf(operation), operation.value)],
  ["move", (document, operation) => document.move(fromOf(operation), pathOf(operation))],
  ["copy", (document, operation) => document.copy(fromOf(operation), pathOf(operation))],
  ["test", (document, operation) => document.test(pathOf(operation), operation.value)],
]);

function applyOperation(document: JsonPatchDocument, operation: Operation): void {
  const apply = APPLY.get(operation.op);
  if (apply === undefined) throw new PatchError("PatchNotApplicable", `Unexpected kind: ${operation.op}`);
  apply(document, operation);
}

function pathOf({ op, path }: Operation): string {
  if (path !== undefined) return path;
  const why = ["move", "replace", "test"].includes(op)
    ? "operation missing path field: missing value"
    : "missing value";
  throw new PatchError("PatchNotApplicable", `${op} operation failed to decode path: ${why}`);
}

function fromOf({ op, from }: Operation): string {
  if (from !== undefined) return from;
  const why = "operation, missing from field: missing value";
  throw new PatchError("PatchNotApplicable", `${op} operation failed to decode from: ${why}`);
}
