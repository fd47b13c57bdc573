import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { keysOf, setOwn } from "../../../runtime/lib/json-object.ts";
import { collectErrors, tooLongField } from "../../../runtime/values/field-errors.ts";
import type { Secret } from "./secret.ts";
import { checkSecretType, warnOfKeyPair } from "./secret-types.ts";
import { base64Size, MAX_DATA_SIZE, validateDataKey, validateFrozen } from "./validation/stored-data.ts";

export const hooks = kindHooks<Secret>({
  /** Moves `stringData` to `data`, where it replaces equal keys. */
  default: (secret) => {
    const { stringData = {}, data = {} } = secret;
    delete secret.stringData;
    const texts = keysOf(stringData);
    if (texts.length === 0) return;
    const all: Record<string, string> = {};
    for (const key of keysOf(data)) setOwn(all, key, data[key]);
    for (const key of texts) setOwn(all, key, base64Of(stringData[key] as string));
    secret.data = all;
  },
  validate: validateSecret,
  warn: (secret) => (secret.type === "kubernetes.io/tls" ? warnOfKeyPair(secret.data ?? {}) : []),
  cells: (secret) => ({ Data: Object.keys(secret.data ?? {}).length }),
  validation: {
    update: (secret, old) => collectErrors((errors) => validateFrozen(secret, old, ["data"], errors)),
  },
  compatibility: {
    order: { update: ["metadataAsChange", "declared", "update", "metadataAsNew", "validate"] },
  },
});

/** There may be very many that are empty. */
function base64Of(text: string): string {
  return text === "" ? "" : Buffer.from(text).toString("base64");
}

function validateSecret(secret: Secret): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  const { data = {} } = secret;
  for (const key of keysOf(data)) {
    validateDataKey(key, "data", errors);
    const text = data[key] as string;
    if (text !== "") size += base64Size(text);
  }
  if (size > MAX_DATA_SIZE) errors.push(tooLongField("data", MAX_DATA_SIZE));
  checkSecretType(secret, errors);
  return errors;
}
