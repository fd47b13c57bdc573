import { PersistentVolumeClaimRetentionPolicyType } from "../../../generated/values/apps.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import type { HookContext } from "../../../runtime/contract/kind-hooks.ts";
import { goIntOrString, goLabelSelector, shown } from "../../../runtime/go/literal.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import {
  forbiddenField,
  invalidField,
  invalidFields,
  requiredField,
  unsupportedField,
} from "../../../runtime/values/field-errors.ts";
import { checkQualifiedName } from "../../../runtime/values/names.ts";
import { validatePodAnnotations } from "../../core/v1/pod-annotations.ts";
import { validateDnsLabel, validateNonNegative } from "../../core/v1/validation/basics.ts";
import { shownAs } from "../../go-types.ts";
import { validateNotDecremented } from "../../meta/v1/change-validation.ts";
import { validateLabels } from "../../meta/v1/label-selector-validation.ts";
import { amountOf, validateAtMost100Percent, validateIntOrPercent } from "./int-or-percent.ts";
import type {
  RollingUpdateStatefulSetStrategy,
  StatefulSetSpec,
  StatefulSetStatus,
  StatefulSetUpdateStrategy,
} from "./stateful-set.ts";
import {
  isEmptySelector,
  selectorPredicate,
  validateAtMost,
  validateCounts,
  validateRunsForever,
  validateSelectorMatchesTemplate,
  validateWorkloadSelector,
} from "./workload-validation.ts";

/** Fields of the spec that may be updated. */
const MUTABLE = new Set([
  "replicas",
  "ordinals",
  "template",
  "updateStrategy",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
]);

type Gates = Pick<HookContext, "featureEnabled">;

/** `isNew`: the name of the Service is validated on creation only, because it is immutable and old objects may have invalid ones. */
export function validateStatefulSetSpec(
  spec: StatefulSetSpec,
  isNew: boolean,
  rules: Gates,
  path: string,
  errors: FieldError[],
): void {
  validatePodManagement(spec.podManagementPolicy ?? "", `${path}.podManagementPolicy`, errors);
  validateUpdateStrategy(spec.updateStrategy ?? {}, `${path}.updateStrategy`, errors);
  const retention = spec.persistentVolumeClaimRetentionPolicy;
  for (const moment of ["whenDeleted", "whenScaled"] as const) {
    const policy = retention?.[moment] ?? "";
    if (retention === undefined || PersistentVolumeClaimRetentionPolicyType.includes(policy)) continue;
    const field = `${path}.persistentVolumeClaimRetentionPolicy.${moment}`;
    errors.push(unsupportedField(field, policy, PersistentVolumeClaimRetentionPolicyType));
  }
  validateNonNegative(spec.ordinals?.start ?? 0, `${path}.ordinals.start`, errors);
  if (isNew && spec.serviceName) validateDnsLabel(spec.serviceName, `${path}.serviceName`, errors);
  validateSelectorAndTemplate(spec, rules, path, errors);
}

export function validateStatefulSetChange(
  spec: StatefulSetSpec,
  old: StatefulSetSpec,
  path: string,
  errors: FieldError[],
): void {
  const names = new Set([...Object.keys(spec), ...Object.keys(old)]) as Set<keyof StatefulSetSpec>;
  if ([...names].some((name) => !MUTABLE.has(name) && !equalMeaning(spec[name], old[name]))) {
    const detail =
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
    errors.push(forbiddenField(path, detail));
  }
}

export function validateStatefulSetStatus(status: StatefulSetStatus, path: string, errors: FieldError[]): void {
  const parts = ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"] as const;
  validateCounts(status, ["replicas", ...parts, "observedGeneration", "collisionCount"], path, errors);
  for (const name of parts) {
    validateAtMost(status[name], status.replicas, `${path}.${name}`, "status.replicas", errors);
  }
  const { availableReplicas, readyReplicas } = status;
  validateAtMost(availableReplicas, readyReplicas, `${path}.availableReplicas`, "status.readyReplicas", errors);
}

/** Checked after metadata. */
export function validateCollisions(
  status: StatefulSetStatus,
  old: StatefulSetStatus,
  path: string,
  errors: FieldError[],
): void {
  validateNotDecremented(status.collisionCount, old.collisionCount, `${path}.collisionCount`, errors);
}

function validatePodManagement(policy: string, field: string, errors: FieldError[]): void {
  if (policy === "") errors.push(requiredField(field));
  else if (policy !== "OrderedReady" && policy !== "Parallel") {
    errors.push(invalidField(field, policy, "must be 'OrderedReady' or 'Parallel'"));
  }
}

function validateUpdateStrategy(strategy: StatefulSetUpdateStrategy, path: string, errors: FieldError[]): void {
  const { type = "", rollingUpdate } = strategy;
  const field = `${path}.rollingUpdate`;
  switch (type) {
    case "OnDelete":
      if (rollingUpdate === undefined) return;
      errors.push(
        invalidField(
          field,
          shownAs("apps.RollingUpdateStatefulSetStrategy", rollingUpdate),
          "only allowed for updateStrategy 'RollingUpdate'",
        ),
      );
      return;
    case "RollingUpdate":
      if (rollingUpdate !== undefined) validateRollingUpdate(rollingUpdate, field, errors);
      return;
    default: {
      if (type === ("" as string)) {
        errors.push(requiredField(path));
        return;
      }
      const value = shownAs("apps.StatefulSetUpdateStrategy", strategy);
      errors.push(invalidField(path, value, "must be 'RollingUpdate' or 'OnDelete'"));
    }
  }
}

function validateRollingUpdate(rolling: RollingUpdateStatefulSetStrategy, path: string, errors: FieldError[]): void {
  validateNonNegative(rolling.partition ?? 0, `${path}.partition`, errors);
  const { maxUnavailable } = rolling;
  if (maxUnavailable === undefined) return;
  const field = `${path}.maxUnavailable`;
  validateIntOrPercent(maxUnavailable, field, errors);
  if (amountOf(maxUnavailable) === 0) {
    errors.push(invalidField(field, shown(goIntOrString(maxUnavailable)), "cannot be 0"));
  }
  validateAtMost100Percent(maxUnavailable, field, errors);
}

/** Does not validate the pod spec of the template: Kubernetes does so only when the pods are created. */
function validateSelectorAndTemplate(spec: StatefulSetSpec, rules: Gates, path: string, errors: FieldError[]): void {
  const { selector, template } = spec;
  validateWorkloadSelector(selector, "statefulset", `${path}.selector`, errors);
  const at = `${path}.template`;
  if (selectorPredicate(selector) === undefined) {
    errors.push(invalidField(`${path}.selector`, shown(goLabelSelector(selector ?? {})), ""));
  } else {
    if (!selector || !isEmptySelector(selector)) validateSelectorMatchesTemplate(selector, template, at, errors);
    validateLabels(template?.metadata?.labels, `${at}.labels`, errors);
    for (const key of Object.keys(template?.metadata?.annotations ?? {})) {
      errors.push(...invalidFields(`${at}.annotations`, key, checkQualifiedName(key.toLowerCase())));
    }
    if (template?.spec !== undefined)
      validatePodAnnotations(template.metadata?.annotations, template.spec, `${at}.annotations`, errors, rules);
  }
  validateRunsForever(template, "StatefulSet", at, errors);
}
