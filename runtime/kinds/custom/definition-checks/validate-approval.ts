import type { FieldError } from "../../../contract/field-error.ts";
import { invalidField, requiredField } from "../../../values/field-errors.ts";
import { type ApprovalNames, approvalOf } from "../definition/approval.ts";
import type { CustomDefinition } from "../definition/custom-definition.ts";

/** Requires the approval annotation for protected groups. An update that does not change the state of the approval is accepted. */
export function validateApproval(
  definition: CustomDefinition,
  old: CustomDefinition | undefined,
  names: ApprovalNames,
): FieldError[] {
  const approval = approvalOf(definition, names);
  if (approval === undefined || (old !== undefined && approvalOf(old, names)?.state === approval.state)) return [];
  const { key, value, state, message } = approval;
  const path = `metadata.annotations[${key}]`;
  if (state === "missing") return [requiredField(path, message)];
  return state === "invalid" ? [invalidField(path, value, message)] : [];
}
