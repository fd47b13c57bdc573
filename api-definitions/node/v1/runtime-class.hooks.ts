import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors, duplicateField, invalidFields } from "../../../runtime/values/field-errors.ts";
import { checkDnsLabel } from "../../../runtime/values/names.ts";
import { validateTolerations } from "../../../runtime/values/tolerations.ts";
import type { Toleration } from "../../core/v1/scheduling.ts";
import { validateContainerResources } from "../../core/v1/validation/resources.ts";
import { shownAs } from "../../go-types.ts";
import { validateLabels } from "../../meta/v1/label-selector-validation.ts";
import { deprecatedNodeLabel } from "./deprecated-labels.ts";
import type { RuntimeClass } from "./runtime-class.ts";

export const hooks = kindHooks<RuntimeClass>({
  validate: validateClass,
  warn: ({ scheduling }) =>
    Object.keys(scheduling?.nodeSelector ?? {}).flatMap((key) => {
      const reason = deprecatedNodeLabel(key);
      return reason === undefined ? [] : [`scheduling.nodeSelector: ${reason}`];
    }),
  compatibility: {
    order: { update: ["metadataAsNew", "validate", "metadataAsChange", "declared"] },
    freeFinalizers: true,
  },
});

/** As in Kubernetes, the first check reports paths with `tolerations` twice. */
function validateDistinctTolerations(tolerations: readonly Toleration[], path: string, errors: FieldError[]): void {
  validateTolerations(tolerations as Toleration[], `${path}.tolerations`, errors);
  const seen = new Set<string>();
  for (const [index, toleration] of tolerations.entries()) {
    const { key, operator, value, effect } = toleration;
    const meaning = JSON.stringify([key ?? "", operator ?? "", value ?? "", effect ?? ""]);
    if (seen.has(meaning)) errors.push(duplicateField(`${path}[${index}]`, shownAs("core.Toleration", toleration)));
    seen.add(meaning);
  }
}

function validateClass({ handler = "", overhead, scheduling }: RuntimeClass): FieldError[] {
  return collectErrors((errors) => {
    errors.push(...invalidFields("handler", handler, checkDnsLabel(handler)));
    if (overhead !== undefined)
      validateContainerResources({ limits: overhead.podFixed }, undefined, "overhead", errors);
    validateLabels(scheduling?.nodeSelector, "scheduling.nodeSelector", errors);
    validateDistinctTolerations(scheduling?.tolerations ?? [], "scheduling.tolerations", errors);
  });
}
