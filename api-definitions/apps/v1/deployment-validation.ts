import { DeploymentStrategyType } from "../../../generated/values/apps.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { goIntOrString, goLabelSelector, shown } from "../../../runtime/go/literal.ts";
import { forbiddenField, invalidField, requiredField, unsupportedField } from "../../../runtime/values/field-errors.ts";
import { validatePodTemplateSpec } from "../../core/v1/validation/pod-spec.ts";
import type { PodRules } from "../../core/v1/validation/security.ts";
import { shownAs } from "../../go-types.ts";
import { validateNotDecremented } from "../../meta/v1/change-validation.ts";
import { givenRollbackTo } from "../rollback.ts";
import type {
  Deployment,
  DeploymentSpec,
  DeploymentStatus,
  DeploymentStrategy,
  RollingUpdateDeployment,
} from "./deployment.ts";
import { amountOf, validateAtMost100Percent, validateIntOrPercent } from "./int-or-percent.ts";
import type { ReplicaSetSpec } from "./replica-set.ts";
import {
  isEmptySelector,
  selectorPredicate,
  validateAtMost,
  validateCounts,
  validateRunsForever,
  validateSelectorMatchesTemplate,
  validateWorkloadSelector,
} from "./workload-validation.ts";

/** `old` is the Deployment before an update. */
export function validateDeploymentSpec(
  deployment: Deployment,
  path: string,
  rules: PodRules,
  errors: FieldError[],
  old?: Deployment,
): void {
  const spec = deployment.spec ?? ({} as DeploymentSpec);
  validateReplicatedTemplate(spec, path, rules, errors, old?.spec);
  validateStrategy(spec.strategy ?? {}, `${path}.strategy`, errors);
  // Kubernetes' internal type has a field for this annotation, so errors name the field.
  const rollbackTo = givenRollbackTo(deployment);
  if (typeof rollbackTo === "bigint" && rollbackTo < 0n)
    errors.push(invalidField(`${path}.rollback.version`, shown(`${rollbackTo}`), "must be greater than or equal to 0"));
  const { progressDeadlineSeconds, minReadySeconds = 0 } = spec;
  if (progressDeadlineSeconds !== undefined && progressDeadlineSeconds <= minReadySeconds) {
    const detail = "must be greater than minReadySeconds";
    errors.push(invalidField(`${path}.progressDeadlineSeconds`, progressDeadlineSeconds, detail));
  }
}

/** Validates selector and template, with the same messages for Deployments and ReplicaSets. */
export function validateReplicatedTemplate(
  spec: DeploymentSpec | ReplicaSetSpec,
  path: string,
  rules: PodRules,
  errors: FieldError[],
  old?: DeploymentSpec | ReplicaSetSpec,
): void {
  const { selector, template } = spec;
  validateWorkloadSelector(selector, "deployment", `${path}.selector`, errors);
  if (selectorPredicate(selector) === undefined) {
    errors.push(invalidField(`${path}.selector`, shown(goLabelSelector(selector ?? {})), "invalid label selector"));
    return;
  }
  const at = `${path}.template`;
  if (!selector || !isEmptySelector(selector)) validateSelectorMatchesTemplate(selector, template, at, errors);
  validatePodTemplateSpec(template, at, rules, errors, old?.template);
  validateRunsForever(template, "ReplicaSet", at, errors);
}

export function validateDeploymentStatus(
  status: DeploymentStatus,
  old: DeploymentStatus,
  path: string,
  errors: FieldError[],
): void {
  validateCounts(
    status,
    [
      "observedGeneration",
      "replicas",
      "updatedReplicas",
      "readyReplicas",
      "availableReplicas",
      "unavailableReplicas",
      "terminatingReplicas",
      "collisionCount",
    ],
    path,
    errors,
  );
  for (const name of ["updatedReplicas", "readyReplicas", "availableReplicas"] as const) {
    validateAtMost(status[name], status.replicas, `${path}.${name}`, "status.replicas", errors);
  }
  validateAtMost(status.availableReplicas, status.readyReplicas, `${path}.availableReplicas`, "readyReplicas", errors);
  validateNotDecremented(status.collisionCount, old.collisionCount, `${path}.collisionCount`, errors);
}

function validateStrategy(strategy: DeploymentStrategy, path: string, errors: FieldError[]): void {
  const { type, rollingUpdate } = strategy;
  switch (type) {
    case "Recreate":
      if (rollingUpdate !== undefined) {
        const detail = "may not be specified when strategy `type` is 'Recreate'";
        errors.push(forbiddenField(`${path}.rollingUpdate`, detail));
      }
      return;
    case "RollingUpdate":
      if (rollingUpdate !== undefined) validateRollingUpdate(rollingUpdate, `${path}.rollingUpdate`, errors);
      else errors.push(requiredField(`${path}.rollingUpdate`, "this should be defaulted and never be nil"));
      return;
    default:
      errors.push(unsupportedField(path, shownAs("apps.DeploymentStrategy", strategy), DeploymentStrategyType));
  }
}

function validateRollingUpdate(rolling: RollingUpdateDeployment, path: string, errors: FieldError[]): void {
  const { maxUnavailable = 0, maxSurge = 0 } = rolling;
  validateIntOrPercent(maxUnavailable, `${path}.maxUnavailable`, errors);
  validateIntOrPercent(maxSurge, `${path}.maxSurge`, errors);
  if (amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0) {
    const detail = "may not be 0 when `maxSurge` is 0";
    errors.push(invalidField(`${path}.maxUnavailable`, shown(goIntOrString(maxUnavailable)), detail));
  }
  validateAtMost100Percent(maxUnavailable, `${path}.maxUnavailable`, errors);
}
