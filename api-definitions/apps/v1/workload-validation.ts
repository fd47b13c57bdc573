import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { goLabelSelector, goTextMap, shown } from "../../../runtime/go/literal.ts";
import { asGiven } from "../../../runtime/go/source-notes.ts";
import {
  collectErrors,
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
} from "../../../runtime/values/field-errors.ts";
import { labelSelectorMatches } from "../../../runtime/values/format-label-selector.ts";
import { checkDnsLabel } from "../../../runtime/values/names.ts";
import type { PodTemplateSpec } from "../../core/v1/pod-spec.ts";
import { validateNonNegative } from "../../core/v1/validation/basics.ts";
import { validateImmutable } from "../../meta/v1/change-validation.ts";
import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import { validateLabelSelector } from "../../meta/v1/label-selector-validation.ts";

type MaybeSelector = LabelSelector | undefined | null;

/** Predicate on the labels of pods; undefined if the selector is invalid. Without a selector no pod matches. */
export function selectorPredicate(selector: MaybeSelector): ((labels: Record<string, string>) => boolean) | undefined {
  if (selector === undefined || selector === null) return () => false;
  const problems: FieldError[] = [];
  validateLabelSelector(selector, "", problems);
  return problems.length > 0 ? undefined : (labels) => labelSelectorMatches(selector, labels);
}

export function isEmptySelector(selector: LabelSelector): boolean {
  return Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length === 0;
}

/** The selector of a workload is required, must be valid and must not be empty. `owner` is the kind in messages. */
export function validateWorkloadSelector(
  selector: MaybeSelector,
  owner: string,
  path: string,
  errors: FieldError[],
): void {
  if (selector === undefined || selector === null) {
    errors.push(requiredField(path));
    return;
  }
  validateLabelSelector(selector, path, errors);
  if (isEmptySelector(selector)) {
    errors.push(invalidField(path, shown(goLabelSelector(selector)), `empty selector is invalid for ${owner}`));
  }
}

/** The selector must match the labels of the template; otherwise the controller would create pods without end. */
export function validateSelectorMatchesTemplate(
  selector: MaybeSelector,
  template: PodTemplateSpec | undefined,
  path: string,
  errors: FieldError[],
): void {
  const matches = selectorPredicate(selector);
  const labels = template?.metadata?.labels;
  if (matches !== undefined && !matches(labels ?? {})) {
    const detail = "`selector` does not match template `labels`";
    errors.push(
      invalidField(`${path}.metadata.labels`, shown(goTextMap(asGiven(template?.metadata, "labels"))), detail),
    );
  }
}

/** Pods of a workload must restart always and have no deadline. */
export function validateRunsForever(
  template: PodTemplateSpec | undefined,
  owner: string,
  path: string,
  errors: FieldError[],
): void {
  const policy = template?.spec?.restartPolicy ?? "";
  if (policy !== "Always") errors.push(unsupportedField(`${path}.spec.restartPolicy`, policy, ["Always"]));
  if (template?.spec?.activeDeadlineSeconds !== undefined) {
    const detail = `activeDeadlineSeconds in ${owner} is not Supported`;
    errors.push(forbiddenField(`${path}.spec.activeDeadlineSeconds`, detail));
  }
}

/** Validates that counts of a status are not negative. */
export function validateCounts<T extends object>(
  status: T,
  names: readonly (keyof T & string)[],
  path: string,
  errors: FieldError[],
): void {
  for (const name of names) {
    const count = status[name];
    if (typeof count === "number") validateNonNegative(count, `${path}.${name}`, errors);
  }
}

/** Validates that a count of a status does not exceed another one. */
export function validateAtMost(
  value: number | undefined,
  bound: number | undefined,
  field: string,
  boundName: string,
  errors: FieldError[],
): void {
  if ((value ?? 0) > (bound ?? 0)) errors.push(invalidField(field, value ?? 0, `cannot be greater than ${boundName}`));
}

interface Selecting {
  readonly spec?: { readonly selector?: LabelSelector };
}

export function validateSelectorUnchanged({ spec }: Selecting, old: Selecting): FieldError[] {
  return collectErrors((errors) =>
    validateImmutable(spec?.selector, old.spec?.selector, "spec.selector", errors, (changed) =>
      shown(goLabelSelector(changed)),
    ),
  );
}

/** Warns of names that are part of pod names and are not valid host names. */
export function warnOfPodNames(name: string | undefined): string[] {
  const problems = checkDnsLabel(name ?? "");
  if (problems.length === 0) return [];
  return [
    `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(" ")}]`,
  ];
}
