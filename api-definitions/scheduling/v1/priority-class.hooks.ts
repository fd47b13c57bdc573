import { PreemptionPolicy } from "../../../generated/values/core.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import {
  collectErrors,
  forbiddenField,
  requiredField,
  unsupportedField,
} from "../../../runtime/values/field-errors.ts";
import type { PriorityClass } from "./priority-class.ts";

const SYSTEM_PREFIX = "system-";
const HIGHEST_USER_VALUE = 1_000_000_000;
const SYSTEM_VALUES: Readonly<Record<string, number>> = {
  "system-node-critical": 2_000_001_000,
  "system-cluster-critical": 2_000_000_000,
};

export const hooks = kindHooks<PriorityClass>({
  validate: (priorityClass) => collectErrors((errors) => validatePriorityClass(priorityClass, errors)),
  validation: {
    update: ({ value = 0 }, old) =>
      value === (old.value ?? 0) ? [] : [forbiddenField("value", "may not be changed in an update.")],
  },
  lifecycle: {
    /** Changes of the mutable fields do not increase the generation. */
    raisesGeneration: () => false,
  },
  compatibility: {
    order: { update: ["metadataAsChange", "update", "declared"] },
  },
});

function validatePriorityClass(priorityClass: PriorityClass, errors: FieldError[]): void {
  const { metadata, value = 0, preemptionPolicy } = priorityClass;
  if (metadata?.name?.startsWith(SYSTEM_PREFIX)) {
    const problem = systemClassProblem(priorityClass);
    if (problem !== undefined) {
      const detail = `priority class names with '${SYSTEM_PREFIX}' prefix are reserved for system use only. error: ${problem}`;
      errors.push(forbiddenField("metadata.name", detail));
    }
  } else if (value > HIGHEST_USER_VALUE) {
    errors.push(forbiddenField("value", `maximum allowed value of a user defined priority is ${HIGHEST_USER_VALUE}`));
  }
  if (preemptionPolicy === undefined || PreemptionPolicy.includes(preemptionPolicy)) return;
  if ((preemptionPolicy as string) === "") errors.push(requiredField("preemptionPolicy"));
  else errors.push(unsupportedField("preemptionPolicy", preemptionPolicy, PreemptionPolicy));
}

/** Names with the prefix `system-` are reserved for the two system classes, which have fixed values. */
function systemClassProblem({ metadata, value = 0, globalDefault = false }: PriorityClass): string | undefined {
  const name = metadata?.name ?? "";
  const expected = Object.hasOwn(SYSTEM_VALUES, name) ? SYSTEM_VALUES[name] : undefined;
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}
