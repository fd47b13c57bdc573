import { DaemonSetUpdateStrategyType } from "../../../generated/values/apps.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { goIntOrString, goLabelSelector, shown } from "../../../runtime/go/literal.ts";
import { invalidField, requiredField, unsupportedField } from "../../../runtime/values/field-errors.ts";
import { validatePodTemplateSpec } from "../../core/v1/validation/pod-spec.ts";
import type { PodRules } from "../../core/v1/validation/security.ts";
import { shownAs } from "../../go-types.ts";
import { validateNotDecremented } from "../../meta/v1/change-validation.ts";
import { isUnsoundSelector, validateLabelSelector } from "../../meta/v1/label-selector-validation.ts";
import type { DaemonSetSpec, DaemonSetStatus, DaemonSetUpdateStrategy, RollingUpdateDaemonSet } from "./daemon-set.ts";
import { amountOf, validateAtMost100Percent, validateIntOrPercent } from "./int-or-percent.ts";
import {
  isEmptySelector,
  validateCounts,
  validateRunsForever,
  validateSelectorMatchesTemplate,
} from "./workload-validation.ts";

/** `old` is the spec before an update. */
export function validateDaemonSetSpec(
  spec: DaemonSetSpec,
  path: string,
  rules: PodRules,
  errors: FieldError[],
  old?: DaemonSetSpec,
): void {
  const { selector, template } = spec;
  validateLabelSelector(selector, `${path}.selector`, errors, isUnsoundSelector(old?.selector));
  validateSelectorMatchesTemplate(selector, template, `${path}.template`, errors);
  if (selector && isEmptySelector(selector)) {
    const detail = "empty selector is invalid for daemonset";
    errors.push(invalidField(`${path}.selector`, shown(goLabelSelector(selector)), detail));
  }
  validatePodTemplateSpec(template, `${path}.template`, rules, errors, old?.template);
  validateRunsForever(template, "DaemonSet", `${path}.template`, errors);
  validateUpdateStrategy(spec.updateStrategy ?? {}, `${path}.updateStrategy`, errors);
}

export function validateDaemonSetStatus(
  status: DaemonSetStatus,
  old: DaemonSetStatus,
  path: string,
  errors: FieldError[],
): void {
  validateCounts(
    status,
    [
      "currentNumberScheduled",
      "numberMisscheduled",
      "desiredNumberScheduled",
      "numberReady",
      "observedGeneration",
      "updatedNumberScheduled",
      "numberAvailable",
      "numberUnavailable",
      "collisionCount",
    ],
    path,
    errors,
  );
  validateNotDecremented(status.collisionCount, old.collisionCount, `${path}.collisionCount`, errors);
}

function validateUpdateStrategy(strategy: DaemonSetUpdateStrategy, path: string, errors: FieldError[]): void {
  const { type, rollingUpdate } = strategy;
  switch (type) {
    case "OnDelete":
      return;
    case "RollingUpdate":
      if (rollingUpdate === undefined) errors.push(requiredField(`${path}.rollingUpdate`));
      else validateRollingUpdate(rollingUpdate, `${path}.rollingUpdate`, errors);
      return;
    default: {
      const value = shownAs("apps.DaemonSetUpdateStrategy", strategy);
      errors.push(unsupportedField(path, value, DaemonSetUpdateStrategyType));
    }
  }
}

/** Exactly one of `maxUnavailable` and `maxSurge` must be greater than 0. */
function validateRollingUpdate(rolling: RollingUpdateDaemonSet, path: string, errors: FieldError[]): void {
  const { maxUnavailable = 0, maxSurge = 0 } = rolling;
  validateIntOrPercent(maxUnavailable, `${path}.maxUnavailable`, errors);
  validateIntOrPercent(maxSurge, `${path}.maxSurge`, errors);
  validateAtMost100Percent(maxUnavailable, `${path}.maxUnavailable`, errors);
  validateAtMost100Percent(maxSurge, `${path}.maxSurge`, errors);
  const hasUnavailable = amountOf(maxUnavailable) !== 0;
  const hasSurge = amountOf(maxSurge) !== 0;
  if (hasUnavailable && hasSurge) {
    const detail = "may not be set when maxUnavailable is non-zero";
    errors.push(invalidField(`${path}.maxSurge`, shown(goIntOrString(maxSurge)), detail));
  } else if (!hasUnavailable && !hasSurge) {
    errors.push(requiredField(`${path}.maxUnavailable`, "cannot be 0 when maxSurge is 0"));
  }
}
