import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { keysOf } from "../../../runtime/lib/json-object.ts";
import { collectErrors, invalidField, tooLongField } from "../../../runtime/values/field-errors.ts";
import type { ConfigMap } from "./config-map.ts";
import { base64Size, MAX_DATA_SIZE, validateDataKey, validateFrozen } from "./validation/stored-data.ts";

export const hooks = kindHooks<ConfigMap>({
  validate: validateConfigMap,
  cells: (map) => ({ Data: Object.keys(map.data ?? {}).length + Object.keys(map.binaryData ?? {}).length }),
  validation: {
    update: (map, old) => collectErrors((errors) => validateFrozen(map, old, ["data", "binaryData"], errors)),
  },
  compatibility: {
    order: { update: ["metadataAsChange", "declared", "update", "metadataAsNew", "validate"] },
  },
});

const NOTHING: Readonly<Record<string, string>> = {};

function validateConfigMap({ data = NOTHING, binaryData = NOTHING }: ConfigMap): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const key of keysOf(data)) {
    validateDataKey(key, "data", errors);
    if (binaryData !== NOTHING && Object.hasOwn(binaryData, key))
      errors.push(invalidField(`data[${key}]`, key, "duplicate of key present in binaryData"));
    const text = data[key] as string;
    if (text !== "") size += Buffer.byteLength(text);
  }
  for (const key of keysOf(binaryData)) {
    validateDataKey(key, "binaryData", errors);
    const text = binaryData[key] as string;
    if (text !== "") size += base64Size(text);
  }
  // The error is about the whole object, so it names no field.
  if (size > MAX_DATA_SIZE) errors.push(tooLongField("[]", MAX_DATA_SIZE));
  return errors;
}
