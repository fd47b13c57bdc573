import type { FieldError } from "../contract/field-error.ts";
import { invalidField, invalidFields, requiredField, unsupportedField } from "../values/field-errors.ts";
import { checkSubdomain } from "../values/names.ts";
import { AUDIT_LEVELS, AUDIT_STAGES, type AuditPolicy, type AuditPolicyRule } from "./audit-policy.ts";

/** Validates a policy, with the messages of Kubernetes. A policy without rules is invalid, as it would audit nothing. */
export function checkPolicy(policy: AuditPolicy): FieldError[] {
  const rules = policy.rules ?? [];
  return [
    ...(rules.length === 0 ? [requiredField("rules", "a policy without rules audits nothing")] : []),
    ...checkStages(policy.omitStages ?? [], "omitStages"),
    ...rules.flatMap((rule, index) => checkRule(rule, `rules[${index}]`)),
  ];
}

function checkRule(rule: AuditPolicyRule, path: string): FieldError[] {
  const urls = rule.nonResourceURLs ?? [];
  const errors = [
    ...checkLevel(rule.level ?? "", `${path}.level`),
    ...urls.flatMap((url, index) => checkUrl(url, `${path}.nonResourceURLs[${index}]`)),
    ...(rule.resources ?? []).flatMap(({ group = "", resources, resourceNames }, index) => [
      ...(group === "" ? [] : invalidFields(`${path}.resources[${index}].group`, group, checkSubdomain(group))),
      ...((resourceNames ?? []).length > 0 && (resources ?? []).length === 0
        ? [
            invalidField(
              `${path}.resources[${index}].resourceNames`,
              resourceNames,
              "using resourceNames requires at least one resource",
            ),
          ]
        : []),
    ]),
    ...checkStages(rule.omitStages ?? [], `${path}.omitStages`),
  ];
  if (urls.length > 0 && ((rule.resources ?? []).length > 0 || (rule.namespaces ?? []).length > 0)) {
    errors.push(
      invalidField(
        `${path}.nonResourceURLs`,
        urls,
        "rules cannot apply to both regular resources and non-resource URLs",
      ),
    );
  }
  return errors;
}

function checkLevel(level: string, field: string): FieldError[] {
  if (level === "") return [requiredField(field)];
  return (AUDIT_LEVELS as readonly string[]).includes(level) ? [] : [unsupportedField(field, level, AUDIT_LEVELS)];
}

function checkUrl(url: string, field: string): FieldError[] {
  if (url === "*") return [];
  return [
    ...(url.startsWith("/")
      ? []
      : [invalidField(field, url, "non-resource URL rules must begin with a '/' character")]),
    ...(url.slice(0, -1).includes("*")
      ? [invalidField(field, url, "non-resource URL wildcards '*' must be the final character of the rule")]
      : []),
  ];
}

function checkStages(stages: readonly string[], field: string): FieldError[] {
  return stages.flatMap((stage, index) =>
    (AUDIT_STAGES as readonly string[]).includes(stage)
      ? []
      : [invalidField(`${field}[${index}]`, stage, `allowed stages are ${AUDIT_STAGES.join(",")}`)],
  );
}
