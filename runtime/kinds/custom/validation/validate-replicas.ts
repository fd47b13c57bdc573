import type { ApiObject } from "../../../contract/api-object.ts";
import type { FieldError } from "../../../contract/field-error.ts";
import { goType, goValue } from "../../../go/format.ts";
import { withGivenFloat } from "../../../go/source-notes.ts";
import type { JsonValue } from "../../../lib/json-object.ts";
import { invalidField } from "../../../values/field-errors.ts";
import type { ScalePaths } from "../definition/custom-definition.ts";
import { isDraft } from "../schema/structural-schema.ts";

const INT32_MAX = 2_147_483_647;

/** Checks the replica counts at the paths of the scale subresource. */
export function validateSpecReplicas(object: ApiObject, scale: ScalePaths | undefined): FieldError[] {
  return scale === undefined ? [] : validateCount(object, scale.specReplicasPath);
}

export function validateStatusReplicas(object: ApiObject, scale: ScalePaths | undefined): FieldError[] {
  if (scale === undefined) return [];
  const errors = validateCount(object, scale.statusReplicasPath);
  const { labelSelectorPath } = scale;
  if (labelSelectorPath === undefined) return errors;
  const selector = nested(object, labelSelectorPath);
  if ("problem" in selector) return [...errors, invalidField(labelSelectorPath, "", selector.problem)];
  if (selector.value !== undefined && typeof selector.value !== "string")
    errors.push(invalidField(labelSelectorPath, "", wrongKind(labelSelectorPath, selector.value, "string")));
  return errors;
}

function validateCount(object: ApiObject, path: string): FieldError[] {
  const found = nested(object, path);
  if ("problem" in found) return [invalidField(path, 0, found.problem)];
  const { value } = found;
  if (value === undefined) return [];
  if (goType(value as JsonValue) !== "int64") return [invalidField(path, 0, wrongKind(path, value, "int64"))];
  const count = value as number | bigint;
  if (count < 0) return [invalidField(path, count, "should be a non-negative integer")];
  return count > INT32_MAX ? [invalidField(path, count, `should be less than or equal to ${INT32_MAX}`)] : [];
}

/** Returns the value at a dotted path. Returns a problem if something on the path is not an object. */
function nested(object: ApiObject, path: string): { readonly value: unknown } | { readonly problem: string } {
  let value: unknown = object;
  const walked: string[] = [];
  for (const step of path.replace(/^\./, "").split(".")) {
    if (value === undefined || value === null) return { value: undefined };
    walked.push(step);
    if (!isDraft(value)) return { problem: wrongKind(`.${walked.join(".")}`, value, "map[string]interface{}") };
    value = Object.hasOwn(value, step) ? withGivenFloat(value, step, value[step]) : undefined;
  }
  return { value };
}

function wrongKind(path: string, value: unknown, expected: string): string {
  const shown = value as JsonValue;
  return `${path} accessor error: ${goValue(shown)} is of the type ${goType(shown)}, expected ${expected}`;
}
