import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors, invalidField, requiredField } from "../../../runtime/values/field-errors.ts";
import { jsonPathProblem } from "../../../runtime/values/json-path-problem.ts";
import { validateConditions } from "../../meta/v1/condition-validation.ts";
import { keepMetadataOnStatus } from "../../meta/v1/status-metadata.ts";
import { paramKindText } from "./parameter-text.ts";
import { validatePolicySpec } from "./policy-validation.ts";
import type { ExpressionWarning, ValidatingAdmissionPolicy } from "./validating-admission-policy.ts";

export const hooks = hooksFor<ValidatingAdmissionPolicy>({
  createdByStatus: true,
  updateChecks: ({ subresource }) => ({ asNew: subresource === undefined ? 1 : 0, asChange: 0 }),
  prepareForUpdate: keepMetadataOnStatus,
  resetFields: { "": ["status"], status: ["spec", "metadata"] },
  freeFinalizers: true,
  validate: ({ metadata, spec = {} }, context) =>
    collectErrors((errors) => validatePolicySpec(metadata?.name ?? "", spec, undefined, "spec", errors, context)),
  validateUpdate: ({ metadata, spec = {} }, old, context) =>
    collectErrors((errors) => validatePolicySpec(metadata?.name ?? "", spec, old.spec ?? {}, "spec", errors, context)),
  validateSubresource: {
    status: ({ status }) =>
      collectErrors((errors) => {
        const warnings = status?.typeChecking?.expressionWarnings ?? [];
        validateWarnings(warnings, "status.typeChecking.expressionWarnings", errors);
        validateConditions(status?.conditions, "status.conditions", errors);
      }),
  },
  cells: ({ spec }) => ({ Validations: spec?.validations?.length ?? 0, ParamKind: paramKindText(spec?.paramKind) }),
});

function validateWarnings(warnings: readonly ExpressionWarning[], path: string, errors: FieldError[]): void {
  for (const [index, { warning, fieldRef }] of warnings.entries()) {
    if (!warning) errors.push(requiredField(`${path}[${index}].warning`));
    const field = `${path}[${index}].fieldRef`;
    const problem = jsonPathProblem(fieldRef ?? "");
    if (!fieldRef?.trim()) errors.push(requiredField(field));
    else if (problem !== undefined) errors.push(invalidField(field, fieldRef, `invalid JSONPath: ${problem}`));
  }
}
