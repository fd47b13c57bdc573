import type { FieldError } from "../../../runtime/contract/field-error.ts";
import type { CheckName } from "../../../runtime/contract/kind-hooks.ts";
import { goQuote } from "../../../runtime/go/quote.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { forbiddenField } from "../../../runtime/values/field-errors.ts";
import { diffAs } from "../../go-types.ts";
import type { Pod } from "./pod.ts";
import { MIRROR, validateAnnotationChange } from "./pod-annotations.ts";
import { validatePodAnyTime } from "./pod-validation.ts";
import type { PodRules } from "./validation/security.ts";

const FIELD = "spec.ephemeralContainers";

/** Order of checks. Skips the validation of metadata as new for a static pod, because the update is rejected anyway. */
export function debuggingOrder(_pod: Pod, old: Pod): readonly CheckName[] {
  return old.metadata?.annotations?.[MIRROR] === undefined
    ? ["metadataAsChange", "metadataAsNew", "declared", "update"]
    : ["metadataAsChange", "declared", "update"];
}

/** Allows ephemeral containers to be added; existing ones are immutable. */
export function validateEphemeralContainersChange(pod: Pod, old: Pod, rules: PodRules): FieldError[] {
  if (old.metadata?.annotations?.[MIRROR] !== undefined)
    return [forbiddenField("[]", "static pods do not support ephemeral containers")];
  const errors = validatePodAnyTime(pod, old, rules);
  validateAnnotationChange(pod, old, rules, errors);
  const next = new Map((pod.spec?.ephemeralContainers ?? []).map((container) => [container.name, container]));
  for (const container of old.spec?.ephemeralContainers ?? []) {
    const after = next.get(container.name);
    const verb = after === undefined ? "removed" : equalMeaning(after, container) ? undefined : "changed";
    if (verb === undefined) continue;
    const diff = after === undefined ? "" : diffAs("core.EphemeralContainer", container, after);
    const detail = `existing ephemeral containers ${goQuote(container.name)} may not be ${verb}\n${diff}`;
    errors.push(forbiddenField(FIELD, detail));
  }
  return errors;
}
