import { goQuote } from "../go/quote.ts";
import { isJsonArray, isJsonObject, type JsonValue } from "../lib/json-object.ts";
import { goJsonKind } from "./go-json-kind.ts";
import { PatchError } from "./patch-error.ts";

const OPERATION_FIELDS = new Set(["op", "path", "from", "value"]);
const TEXT_FIELDS = ["op", "path", "from"];

/**
 * Checks the operations of a JSON patch strictly, for requests that want unknown fields reported: returns
 * the unknown members. Throws PatchError if it is no list of operations.
 */
export function unknownOperationFields(patch: JsonValue): string[] {
  if (patch !== null && !isJsonArray(patch)) throw unreadable(patch, "value of type []handlers.jsonPatchOp");
  return (patch ?? []).flatMap((operation, index) => {
    if (operation !== null && !isJsonObject(operation))
      throw unreadable(operation, "value of type handlers.jsonPatchOp");
    return Object.entries(operation ?? {})
      .filter(([key, value]) => !isKnown(key, value))
      .map(([key]) => `unknown field ${goQuote(`[${index}].${key}`)}`);
  });
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
