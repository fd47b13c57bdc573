import type { FieldError } from "../../contract/field-error.ts";
import { goQuote } from "../../go/quote.ts";
import { getString, isJsonArray, isJsonObject, type JsonValue } from "../../lib/json-object.ts";
import { validateFieldManager } from "./manager-name.ts";

const MAX_SUBRESOURCE_BYTES = 256;

/** What is wrong with the managedFields a request writes. The field sets themselves are not looked at. */
export function validateManagedFields(entries: JsonValue | undefined, path = "metadata.managedFields"): FieldError[] {
  if (!isJsonArray(entries)) return [];
  return entries.flatMap((value, index) => validateEntry(value, `${path}[${index}]`));
}

function validateEntry(value: JsonValue, path: string): FieldError[] {
  const entry = isJsonObject(value) ? value : {};
  const errors: FieldError[] = [];
  const operation = getString(entry, "operation");
  if (operation !== "Apply" && operation !== "Update") {
    errors.push(invalid(`${path}.operation`, operation, "must be `Apply` or `Update`"));
  }
  const fieldsType = getString(entry, "fieldsType");
  if (fieldsType !== "" && fieldsType !== "FieldsV1") {
    errors.push(invalid(`${path}.fieldsType`, fieldsType, "must be `FieldsV1`"));
  }
  errors.push(...validateFieldManager(getString(entry, "manager"), `${path}.manager`));
  if (Buffer.byteLength(getString(entry, "subresource")) > MAX_SUBRESOURCE_BYTES) {
    const message = `Too long: may not be more than ${MAX_SUBRESOURCE_BYTES} bytes`;
    errors.push({ field: `${path}.subresource`, reason: "FieldValueTooLong", message });
  }
  return errors;
}

function invalid(field: string, value: string, message: string): FieldError {
  return { field, reason: "FieldValueInvalid", message: `Invalid value: ${goQuote(value)}: ${message}` };
}
