import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { carryNotes } from "../../../runtime/go/source-notes.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { forbiddenField, invalidField, requiredField } from "../../../runtime/values/field-errors.ts";
import { checkRange } from "../../../runtime/values/formats.ts";
import { validateTolerations } from "../../../runtime/values/tolerations.ts";
import { diffAs } from "../../go-types.ts";
import type { Container } from "./container.ts";
import type { Pod } from "./pod.ts";
import {
  MIRROR,
  validateAnnotationChange,
  validateAppArmorMatch,
  validatePodAnnotations,
  validateProfileAnnotations,
} from "./pod-annotations.ts";
import { validateGatedChange, withOldNodes } from "./pod-gates.ts";
import type { PodSpec } from "./pod-spec.ts";
import type { Toleration } from "./scheduling.ts";
import { validateImageText } from "./validation/container.ts";
import { validatePodSpec } from "./validation/pod-spec.ts";
import type { PodRules } from "./validation/security.ts";

const MAX_INT32 = 2_147_483_647;
const UPDATABLE = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
];

export function validatePod(pod: Pod, rules: PodRules): FieldError[] {
  const errors = validatePodAnyTime(pod, undefined, rules);
  const spec = pod.spec;
  if ((spec?.ephemeralContainers ?? []).length > 0)
    errors.push(forbiddenField("spec.ephemeralContainers", "cannot be set on create"));
  if (pod.metadata?.annotations?.[MIRROR] !== undefined)
    for (const _ of spec?.resourceClaims ?? [])
      errors.push(forbiddenField("[]", "static pods do not support resource claims"));
  if (spec?.nodeName && (spec.schedulingGates ?? []).length > 0) {
    errors.push(forbiddenField("spec.nodeName", "cannot be set until all schedulingGates have been cleared"));
  }
  if (spec !== undefined) {
    validateProfileAnnotations(pod.metadata?.annotations, spec, "spec", errors);
    validateAppArmorMatch(pod.metadata?.annotations, spec, "spec", errors);
  }
  return errors;
}

/**
 * Allows updates to change images, set or shorten the deadline, add tolerations and remove scheduling gates, and nothing else. A gated pod
 * may also restrict its nodes further.
 */
export function validatePodUpdate(pod: Pod, old: Pod, rules: PodRules): FieldError[] {
  const errors = validatePodAnyTime(pod, old, rules);
  validateAnnotationChange(pod, old, rules, errors);
  const spec = pod.spec ?? { containers: [] };
  const oldSpec = old.spec ?? { containers: [] };
  for (const list of ["containers", "initContainers"] as const) {
    if (!validateContainerList(spec[list] ?? [], oldSpec[list] ?? [], `spec.${list}`, errors)) return errors;
  }
  if (!validateDeadline(spec, oldSpec, errors)) return errors;
  validateAddedTolerations(spec.tolerations ?? [], oldSpec.tolerations ?? [], errors);
  const oldGates = new Set(oldSpec.schedulingGates?.map((gate) => gate.name));
  // Of scheduling gates with the same name, the last one is reported.
  const places = new Map(spec.schedulingGates?.map((gate, index) => [gate.name, index]));
  for (const [name, index] of places) {
    if (oldGates.has(name)) continue;
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    errors.push(forbiddenField(`spec.schedulingGates[${index}].name`, detail));
  }
  if ((oldSpec.schedulingGates ?? []).length > 0) validateGatedChange(spec, oldSpec, errors);
  const rest = withOldUpdatables(spec, oldSpec);
  if (!equalMeaning(rest, oldSpec)) {
    const diff = diffAs("core.PodSpec", oldSpec, rest);
    errors.push(forbiddenField("spec", `pod updates may not change fields other than ${UPDATABLE.join(",")}\n${diff}`));
  }
  return errors;
}

/** Applies the rules for both new and updated pods. */
export function validatePodAnyTime(pod: Pod, old: Pod | undefined, rules: PodRules): FieldError[] {
  const errors: FieldError[] = [];
  const spec = pod.spec ?? { containers: [] };
  validatePodAnnotations(
    pod.metadata?.annotations,
    spec,
    "metadata.annotations",
    errors,
    rules,
    old?.metadata?.annotations,
  );
  validatePodSpec(spec, "spec", { isPod: true, podName: pod.metadata?.name, rules }, errors, old?.spec);
  if (!spec.serviceAccountName) {
    for (const [index, volume] of (spec.volumes ?? []).entries()) {
      for (const [position, source] of (volume.projected?.sources ?? []).entries()) {
        if (source.serviceAccountToken === undefined) continue;
        const field = `spec.volumes[${index}].projected.sources[${position}].serviceAccountToken`;
        errors.push(forbiddenField(field, "must not be specified when serviceAccountName is not set"));
      }
    }
  }
  for (const list of ["containers", "initContainers"] as const) {
    for (const [index, container] of (spec[list] ?? []).entries())
      validateImageText(container, `spec.${list}[${index}]`, errors);
  }
  return errors;
}

function validateContainerList(
  next: readonly Container[],
  old: readonly Container[],
  path: string,
  errors: FieldError[],
): boolean {
  if (next.length !== old.length) {
    errors.push(forbiddenField(path, "pod updates may not add or remove containers"));
    return false;
  }
  for (const [index, container] of next.entries()) {
    if (!container.image) errors.push(requiredField(`${path}[${index}].image`));
    validateImageText(container, `${path}[${index}]`, errors);
  }
  return true;
}

function validateDeadline(spec: PodSpec, old: PodSpec, errors: FieldError[]): boolean {
  const field = "spec.activeDeadlineSeconds";
  const [next, before] = [spec.activeDeadlineSeconds, old.activeDeadlineSeconds];
  if (next === undefined) {
    if (before !== undefined)
      errors.push(invalidField(field, null, "must not update from a positive integer to nil value"));
    return true;
  }
  const [problem] = checkRange(next, 0, MAX_INT32);
  if (problem !== undefined) errors.push(invalidField(field, next, problem));
  else if (before !== undefined && before < next)
    errors.push(invalidField(field, next, "must be less than or equal to previous value"));
  else return true;
  return false;
}

function validateAddedTolerations(next: readonly Toleration[], old: readonly Toleration[], errors: FieldError[]): void {
  const identity = ({ key, operator, value, effect }: Toleration) =>
    JSON.stringify([key ?? "", operator ?? "", value ?? "", effect ?? ""]);
  const kept = new Set(next.map(identity));
  if (old.some((toleration) => !kept.has(identity(toleration)))) {
    errors.push(
      forbiddenField("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds"),
    );
    return;
  }
  validateTolerations(next, "spec.tolerations", errors);
}

/** Returns the new spec with the mutable fields of the old one, to check whether anything else changed. */
function withOldUpdatables(spec: PodSpec, old: PodSpec): PodSpec {
  const images = (next: readonly Container[] | undefined, before: readonly Container[] | undefined) =>
    next?.map((container, index) => {
      const changed = { ...container, image: before?.[index]?.image };
      carryNotes(container, changed);
      return changed;
    });
  const gated = (old.schedulingGates ?? []).length > 0;
  const graceSetToOne = (old.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1;
  const set = {
    ...spec,
    containers: images(spec.containers, old.containers) ?? [],
    ...(spec.initContainers && { initContainers: images(spec.initContainers, old.initContainers) }),
    activeDeadlineSeconds: old.activeDeadlineSeconds,
    schedulingGates: old.schedulingGates,
    tolerations: old.tolerations,
    ...(graceSetToOne && { terminationGracePeriodSeconds: old.terminationGracePeriodSeconds }),
    ...(gated && { nodeSelector: old.nodeSelector, affinity: withOldNodes(spec.affinity, old.affinity) }),
  } as PodSpec;
  carryNotes(spec, set);
  return set;
}
