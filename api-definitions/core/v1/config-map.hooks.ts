import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
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

function validateConfigMap({ data = {}, binaryData = {} }: ConfigMap): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const key of Object.keys(data)) {
    validateDataKey(key, "data", errors);
    if (Object.hasOwn(binaryData, key))
      errors.push(invalidField(`data[${key}]`, key, "duplicate of key present in binaryData"));
    size += Buffer.byteLength(data[key] as string);
  }
  for (const [key, value] of Object.entries(binaryData)) {
    validateDataKey(key, "binaryData", errors);
    size += base64Size(value);
  }
  // The error is about the whole object, so it names no field.
  if (size > MAX_DATA_SIZE) errors.push(tooLongField("[]", MAX_DATA_SIZE));
  return errors;
}
