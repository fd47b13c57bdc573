import { SideEffectClass } from "../../../generated/values/admissionregistration.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import type { ExpressionRules } from "../../../runtime/contract/kind-hooks.ts";
import { goTexts, shown } from "../../../runtime/go/literal.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import {
  collectErrors,
  duplicateField,
  invalidField,
  invalidFields,
  requiredField,
  unsupportedField,
} from "../../../runtime/values/field-errors.ts";
import { checkDns1035Label, checkSubdomain } from "../../../runtime/values/names.ts";
import { repeats } from "../../../runtime/values/repeats.ts";
import { isUnsoundSelector, validateLabelSelector } from "../../meta/v1/label-selector-validation.ts";
import { validateMatchConditions } from "./match-condition-validation.ts";
import type { MutatingWebhook } from "./mutating-webhook-configuration.ts";
import {
  FAILURE_POLICIES,
  MATCH_POLICIES,
  REINVOCATION_POLICIES,
  validateChoice,
  validateRuleWithOperations,
} from "./rule-validation.ts";
import type { ValidatingWebhook } from "./validating-webhook-configuration.ts";
import { validateClientConfig } from "./webhook-client-validation.ts";

type Webhook = ValidatingWebhook | MutatingWebhook;

const REVIEW_VERSIONS = ["v1", "v1beta1"];
const SIDE_EFFECTS = [...SideEffectClass].sort();
const HARMLESS = ["None", "NoneOnDryRun"];

/** Rules of later releases that a stored configuration may violate; updates of it are not checked against them. */
interface Tolerance {
  readonly sideEffects: boolean;
  readonly reviewVersions: boolean;
  readonly sharedNames: boolean;
  readonly sameConditions: boolean;
  readonly selectorValues: boolean;
}

/** `old` is undefined for a new configuration. */
function validateWebhooks(
  webhooks: readonly Webhook[],
  old: readonly Webhook[] | undefined,
  errors: FieldError[],
  rules: ExpressionRules,
): void {
  const tolerance = toleranceFor(webhooks, old);
  const stored = new Set(
    (old ?? []).flatMap((hook) => (hook.matchConditions ?? []).map(({ expression }) => expression)),
  );
  const names = new Set<string>();
  for (const [index, webhook] of webhooks.entries()) {
    const at = `webhooks[${index}]`;
    validateWebhook(webhook, tolerance, at, errors);
    if (!tolerance.sameConditions)
      validateMatchConditions(webhook.matchConditions ?? [], false, stored, `${at}.matchConditions`, errors, rules);
    validateReviewVersions(webhook.admissionReviewVersions ?? [], tolerance, `${at}.admissionReviewVersions`, errors);
    if (tolerance.sharedNames || !webhook.name) continue;
    if (names.has(webhook.name)) errors.push(duplicateField(`${at}.name`, webhook.name));
    names.add(webhook.name);
  }
}

function toleranceFor(webhooks: readonly Webhook[], old: readonly Webhook[] | undefined): Tolerance {
  if (old === undefined) {
    return {
      sideEffects: false,
      reviewVersions: false,
      sharedNames: false,
      sameConditions: false,
      selectorValues: false,
    };
  }
  const isKnown = (version: string) => REVIEW_VERSIONS.includes(version);
  return {
    sideEffects: old.some(({ sideEffects }) => !HARMLESS.includes(sideEffects ?? "")),
    reviewVersions: old.some(({ admissionReviewVersions: versions }) => versions?.length && !versions.some(isKnown)),
    sharedNames: new Set(old.map(({ name }) => name)).size < old.length,
    sameConditions:
      old.length === webhooks.length &&
      old.every(({ matchConditions }, index) => equalMeaning(matchConditions, webhooks[index]?.matchConditions)),
    selectorValues: old.some((hook) => [hook.namespaceSelector, hook.objectSelector].some(isUnsoundSelector)),
  };
}

function validateWebhook(webhook: Webhook, tolerance: Tolerance, path: string, errors: FieldError[]): void {
  validateHookName(webhook.name ?? "", `${path}.name`, errors);
  for (const [index, rule] of (webhook.rules ?? []).entries()) {
    validateRuleWithOperations(rule, `${path}.rules[${index}]`, errors);
  }
  const { failurePolicy, matchPolicy, timeoutSeconds } = webhook;
  if (failurePolicy !== undefined) validateChoice(failurePolicy, FAILURE_POLICIES, `${path}.failurePolicy`, errors);
  if (matchPolicy !== undefined) validateChoice(matchPolicy, MATCH_POLICIES, `${path}.matchPolicy`, errors);
  validateSideEffects(webhook.sideEffects, tolerance, `${path}.sideEffects`, errors);
  if (timeoutSeconds !== undefined && (timeoutSeconds > 30 || timeoutSeconds < 1)) {
    const detail = "the timeout value must be between 1 and 30 seconds";
    errors.push(invalidField(`${path}.timeoutSeconds`, timeoutSeconds, detail));
  }
  for (const name of ["namespaceSelector", "objectSelector"] as const)
    validateLabelSelector(webhook[name], `${path}.${name}`, errors, tolerance.selectorValues);
  if ("reinvocationPolicy" in webhook && webhook.reinvocationPolicy !== undefined) {
    validateChoice(webhook.reinvocationPolicy, REINVOCATION_POLICIES, `${path}.reinvocationPolicy`, errors);
  }
  validateClientConfig(webhook.clientConfig ?? {}, `${path}.clientConfig`, errors);
}

function validateHookName(name: string, field: string, errors: FieldError[]): void {
  if (name === "") {
    errors.push(requiredField(field));
    return;
  }
  const problems = checkSubdomain(name);
  if (problems.length > 0) errors.push(invalidField(field, name, problems.join(",")));
  else if (name.split(".").length < 3) {
    errors.push(invalidField(field, name, "should be a domain with at least three segments separated by dots"));
  }
}

function validateSideEffects(
  effects: string | undefined | null,
  tolerance: Tolerance,
  field: string,
  errors: FieldError[],
): void {
  const allowed = tolerance.sideEffects ? SIDE_EFFECTS : HARMLESS;
  if (effects === undefined || effects === null) {
    errors.push(requiredField(field, `must specify one of ${allowed.join(", ")}`));
  } else if (!allowed.includes(effects)) {
    errors.push(unsupportedField(field, effects, allowed));
  }
}

function validateReviewVersions(
  versions: readonly string[],
  tolerance: Tolerance,
  path: string,
  errors: FieldError[],
): void {
  if (versions.length === 0) {
    errors.push(requiredField(path, `must specify one of ${REVIEW_VERSIONS.join(", ")}`));
    return;
  }
  const isRepeated = repeats<string>();
  for (const [index, version] of versions.entries()) {
    const field = `${path}[${index}]`;
    if (isRepeated(version)) errors.push(invalidField(field, version, "duplicate version"));
    else errors.push(...invalidFields(field, version, checkDns1035Label(version)));
  }
  if (!tolerance.reviewVersions && !versions.some((version) => REVIEW_VERSIONS.includes(version))) {
    const detail = `must include at least one of ${REVIEW_VERSIONS.join(", ")}`;
    errors.push(invalidField(path, shown(goTexts(versions)), detail));
  }
}

/** All validation errors of the webhooks of a configuration. */
export function webhookErrors(
  configuration: { readonly webhooks?: readonly Webhook[] },
  old: { readonly webhooks?: readonly Webhook[] } | undefined,
  rules: ExpressionRules,
): FieldError[] {
  return collectErrors((errors) =>
    validateWebhooks(configuration.webhooks ?? [], old && (old.webhooks ?? []), errors, rules),
  );
}
