import { goQuote } from "../go/quote.ts";
import { isJsonArray, isJsonObject, type JsonValue } from "../lib/json-object.ts";
import { goJsonKind } from "./go-json-kind.ts";
import { PatchError } from "./patch-error.ts";

const OPERATION_FIELDS = new Set(["op", "path", "from", "value"]);
const TEXT_FIELDS = ["op", "path", "from"];

/** Checks the operations of a JSON patch strictly, for requests that want unknown fields reported. Throws PatchError. */
export function checkOperations(patch: JsonValue): void {
  if (patch !== null && !isJsonArray(patch)) throw unreadable(patch, "value of type []handlers.jsonPatchOp");
  for (const operation of patch ?? []) {
    if (operation !== null && !isJsonObject(operation))
      throw unreadable(operation, "value of type handlers.jsonPatchOp");
    unknownOperationFields(operation, 0);
  }
}

/** The strict decoding error of each unknown member of an operation, by member name. */
export function unknownOperationFields(operation: JsonValue, index: number): ReadonlyMap<string, string> {
  const unknown = new Map<string, string>();
  for (const [key, value] of Object.entries(isJsonObject(operation) ? operation : {}))
    if (!isKnown(key, value)) unknown.set(key, `unknown field ${goQuote(`[${index}].${key}`)}`);
  return unknown;
}

function isKnown(key: string, value: JsonValue): boolean {
  if (TEXT_FIELDS.includes(key) && typeof value !== "string" && value !== null) {
    throw unreadable(value, `struct field jsonPatchOp.${key} of type string`);
  }
  return OPERATION_FIELDS.has(key);
}

function unreadable(value: JsonValue, target: string): PatchError {
  return new PatchError("BadPatch", `json: cannot unmarshal ${goJsonKind(value)} into Go ${target}`);
}
