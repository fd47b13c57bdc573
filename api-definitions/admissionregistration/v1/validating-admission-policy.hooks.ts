import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors, invalidField, requiredField } from "../../../runtime/values/field-errors.ts";
import { jsonPathProblem } from "../../../runtime/values/json-path-problem.ts";
import { trimSpace } from "../../../runtime/values/white-space.ts";
import { validateConditions } from "../../meta/v1/condition-validation.ts";
import { keepMetadataOnStatus } from "../../meta/v1/status-metadata.ts";
import { paramKindText } from "./parameter-text.ts";
import { validatePolicySpec } from "./policy-validation.ts";
import type { ExpressionWarning, ValidatingAdmissionPolicy } from "./validating-admission-policy.ts";

export const hooks = kindHooks<ValidatingAdmissionPolicy>({
  validate: ({ metadata, spec = {} }, context) =>
    collectErrors((errors) => validatePolicySpec(metadata?.name ?? "", spec, undefined, "spec", errors, context)),
  cells: ({ spec }) => ({ Validations: spec?.validations?.length ?? 0, ParamKind: paramKindText(spec?.paramKind) }),
  validation: {
    update: ({ metadata, spec = {} }, old, context) =>
      collectErrors((errors) =>
        validatePolicySpec(metadata?.name ?? "", spec, old.spec ?? {}, "spec", errors, context),
      ),
    subresources: {
      status: ({ status }) =>
        collectErrors((errors) => {
          const warnings = status?.typeChecking?.expressionWarnings ?? [];
          validateWarnings(warnings, "status.typeChecking.expressionWarnings", errors);
          validateConditions(status?.conditions, "status.conditions", errors);
        }),
    },
  },
  lifecycle: {
    prepareForUpdate: keepMetadataOnStatus,
    resetFields: { "": ["status"], status: ["spec", "metadata"] },
  },
  compatibility: {
    createdByStatus: true,
    order: { update: ["metadataAsNew", "declared", "update"], subresources: { "*": ["declared", "update"] } },
    freeFinalizers: true,
  },
});

function validateWarnings(warnings: readonly ExpressionWarning[], path: string, errors: FieldError[]): void {
  for (const [index, { warning, fieldRef }] of warnings.entries()) {
    if (!warning) errors.push(requiredField(`${path}[${index}].warning`));
    const field = `${path}[${index}].fieldRef`;
    const trimmed = trimSpace(fieldRef ?? "");
    const problem = jsonPathProblem(trimmed);
    if (trimmed === "") errors.push(requiredField(field));
    else if (problem !== undefined) errors.push(invalidField(field, trimmed, `invalid JSONPath: ${problem}`));
  }
}
