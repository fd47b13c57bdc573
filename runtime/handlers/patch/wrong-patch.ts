import type { FieldError } from "../../contract/field-error.ts";
import type { StatusError } from "../../contract/status.ts";
import { isJsonObject, type JsonValue } from "../../lib/json-object.ts";
import type { WrongField } from "../../schema/schema-errors.ts";
import { describeWrong, wrongField } from "../../schema/wrong-fields.ts";
import { invalid } from "../../values/status-errors.ts";

const TEXTS = ["op", "path", "from"];

/** Describes a format error of a patch, for the project's own kinds. A JSON patch must be a list of operations, other patches must be objects. */
export function wrongPatch(isJsonPatch: boolean, patch: JsonValue): string | undefined {
  const wrong = isJsonPatch ? wrongOperations(patch) : wrongObject(patch);
  return wrong === undefined ? undefined : describeWrong([wrong]);
}

/** The error of a patched or applied object of the project's own kinds: one cause per field, without the whole object. */
export function refuseFields(
  fields: readonly WrongField[],
  type: { readonly group: string; readonly kind: string },
  name: string,
): StatusError {
  const errors = fields.map(({ field, problem }): FieldError => {
    return { field: field === "" ? "patch" : field, reason: "FieldValueTypeInvalid", message: problem };
  });
  return invalid({ group: type.group, kind: type.kind }, name, errors);
}

function wrongObject(patch: JsonValue): WrongField | undefined {
  return patch === null || isJsonObject(patch) ? undefined : wrongField("", "an object", patch);
}

function wrongOperations(patch: JsonValue): WrongField | undefined {
  if (patch === null) return undefined;
  if (!Array.isArray(patch)) return wrongField("", "a list of operations", patch);
  for (const [index, operation] of patch.entries()) {
    if (operation === null) continue;
    if (!isJsonObject(operation)) return wrongField(`[${index}]`, "an object", operation);
    const name = TEXTS.find((text) => Object.hasOwn(operation, text) && typeof operation[text] !== "string");
    if (name !== undefined && operation[name] !== null)
      return wrongField(`[${index}].${name}`, "a string", operation[name]);
  }
  return undefined;
}
