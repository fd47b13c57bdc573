import { FlowDistinguisherMethodType, SubjectKind } from "../../../generated/values/flowcontrol.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { goText, goTexts, shown } from "../../../runtime/go/literal.ts";
import {
  forbiddenField,
  invalidField,
  invalidFields,
  requiredField,
  unsupportedField,
} from "../../../runtime/values/field-errors.ts";
import { checkDnsLabel, checkSubdomain } from "../../../runtime/values/names.ts";
import { shownAs } from "../../go-types.ts";
import type {
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  ServiceAccountSubject,
  Subject,
} from "./flow-schema.ts";

const MAX_PRECEDENCE = 10_000;
const DISTINGUISHERS = [...FlowDistinguisherMethodType].sort();
const SUBJECT_KINDS = [...SubjectKind].sort();
const VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"];

export function validateFlowSchemaSpec(name: string, spec: FlowSchemaSpec, path: string, errors: FieldError[]): void {
  const { matchingPrecedence: precedence = 0, distinguisherMethod, priorityLevelConfiguration: level } = spec;
  const refuse = (detail: string) => errors.push(invalidField(`${path}.matchingPrecedence`, precedence, detail));
  if (precedence <= 0) refuse("must be a positive value");
  if (precedence > MAX_PRECEDENCE) refuse(`must not be greater than ${MAX_PRECEDENCE}`);
  if (precedence === 1 && name !== "exempt") refuse("only the schema named 'exempt' may have matchingPrecedence 1");
  if (distinguisherMethod !== undefined && !DISTINGUISHERS.includes(distinguisherMethod.type)) {
    const value = shownAs("flowcontrol.FlowDistinguisherMethod", distinguisherMethod);
    errors.push(unsupportedField(`${path}.distinguisherMethod.type`, value, DISTINGUISHERS));
  }
  const field = `${path}.priorityLevelConfiguration.name`;
  if (level?.name) errors.push(...invalidFields(field, level.name, checkSubdomain(level.name)));
  else errors.push(requiredField(field, "must reference a priority level"));
  for (const [index, rule] of (spec.rules ?? []).entries()) validateRule(rule, `${path}.rules[${index}]`, errors);
}

/** Validates conditions of flow schemas and priority levels: each type may occur once. */
export function validateStatusConditions(
  conditions: readonly { readonly type?: string }[] | undefined,
  path: string,
  errors: FieldError[],
): void {
  const seen = new Set<string>();
  for (const [index, { type = "" }] of (conditions ?? []).entries()) {
    const field = `${path}[${index}].type`;
    if (seen.has(type)) {
      errors.push({ field, reason: "FieldValueDuplicate", message: `Duplicate value: ${goText(type)}` });
    }
    seen.add(type);
    if (type === "") errors.push(requiredField(field, "must not be empty"));
  }
}

function validateRule(rule: PolicyRulesWithSubjects, path: string, errors: FieldError[]): void {
  const { subjects, resourceRules = [], nonResourceRules = [] } = rule;
  if ((subjects ?? []).length === 0) {
    errors.push(requiredField(`${path}.subjects`, "subjects must contain at least one value"));
  }
  for (const [index, subject] of (subjects ?? []).entries()) {
    validateSubject(subject, `${path}.subjects[${index}]`, errors);
  }
  if (resourceRules.length + nonResourceRules.length === 0) {
    errors.push(requiredField(path, "at least one of resourceRules and nonResourceRules has to be non-empty"));
  }
  for (const [index, entry] of resourceRules.entries()) {
    validateResourceRule(entry, `${path}.resourceRules[${index}]`, errors);
  }
  for (const [index, entry] of nonResourceRules.entries()) {
    validateNonResourceRule(entry, `${path}.nonResourceRules[${index}]`, errors);
  }
}

/** Field of a subject for each kind, in the order of validation. */
const SUBJECT_MEMBERS = { serviceAccount: "ServiceAccount", user: "User", group: "Group" } as const;

function validateSubject(subject: Subject, path: string, errors: FieldError[]): void {
  const kind: string = subject.kind ?? "";
  if (!SUBJECT_KINDS.includes(kind)) {
    errors.push(unsupportedField(`${path}.kind`, kind, SUBJECT_KINDS));
    return;
  }
  const members = Object.entries(SUBJECT_MEMBERS) as [keyof typeof SUBJECT_MEMBERS, string][];
  for (const [member] of members.filter(([, owner]) => owner === kind)) {
    validateNamedSubject(subject[member], member, kind, `${path}.${member}`, errors);
  }
  for (const [member, owner] of members) {
    if (owner === kind || subject[member] === undefined) continue;
    errors.push(forbiddenField(`${path}.${member}`, `${member} is forbidden when subject kind is not '${owner}'`));
  }
}

function validateNamedSubject(
  named: { readonly name: string } | ServiceAccountSubject | undefined,
  member: string,
  kind: string,
  path: string,
  errors: FieldError[],
): void {
  if (named === undefined) {
    errors.push(requiredField(path, `${member} is required when subject kind is '${kind}'`));
    return;
  }
  const isAccount = member === "serviceAccount";
  if (!named.name) errors.push(requiredField(`${path}.name`));
  else if (isAccount && named.name !== "*") {
    errors.push(...invalidFields(`${path}.name`, named.name, checkSubdomain(named.name)));
  }
  if (!isAccount) return;
  const namespace = "namespace" in named ? named.namespace : "";
  if (namespace) errors.push(...invalidFields(`${path}.namespace`, namespace, checkDnsLabel(namespace)));
  else errors.push(requiredField(`${path}.namespace`, "must specify namespace for service account"));
}

function validateResourceRule(rule: ResourcePolicyRule, path: string, errors: FieldError[]): void {
  validateVerbs(rule.verbs ?? [], `${path}.verbs`, errors);
  const groups = rule.apiGroups ?? [];
  const resources = rule.resources ?? [];
  const namespaces = rule.namespaces ?? [];
  if (groups.length === 0) {
    errors.push(requiredField(`${path}.apiGroups`, "resource rules must supply at least one api group"));
  }
  refuseCompany(groups, "api groups", `${path}.apiGroups`, errors);
  if (resources.length === 0) {
    errors.push(requiredField(`${path}.resources`, "resource rules must supply at least one resource"));
  }
  refuseCompany(resources, "resources", `${path}.resources`, errors);
  if (namespaces.length === 0 && rule.clusterScope !== true) {
    const detail = "resource rules that are not cluster scoped must supply at least one namespace";
    errors.push(requiredField(`${path}.namespaces`, detail));
  }
  refuseCompany(namespaces, "namespaces", `${path}.namespaces`, errors);
  if (namespaces.includes("*")) return;
  for (const [index, namespace] of namespaces.entries()) {
    const problems = checkDnsLabel(namespace).map(
      (problem) => `each member of this list must be '*' or a DNS-1123 label; ${problem}`,
    );
    errors.push(...invalidFields(`${path}.namespaces[${index}]`, namespace, problems));
  }
}

function validateNonResourceRule(rule: NonResourcePolicyRule, path: string, errors: FieldError[]): void {
  validateVerbs(rule.verbs ?? [], `${path}.verbs`, errors);
  const urls = rule.nonResourceURLs ?? [];
  const at = `${path}.nonResourceURLs`;
  if (urls.length === 0) errors.push(requiredField(at, "nonResourceURLs must contain at least one value"));
  refuseCompany(urls, "non-resource URLs", at, errors);
  if (urls.includes("*")) return;
  for (const [index, url] of urls.entries()) {
    const problem = urlProblem(url);
    if (problem !== undefined) errors.push(invalidField(`${at}[${index}]`, url, problem));
  }
}

function validateVerbs(verbs: readonly string[], field: string, errors: FieldError[]): void {
  if (verbs.length === 0) errors.push(requiredField(field, "verbs must contain at least one value"));
  else if (verbs.includes("*")) refuseCompany(verbs, "verbs", field, errors);
  else if (!verbs.every((verb) => VERBS.includes(verb))) {
    errors.push(unsupportedField(field, shown(goTexts(verbs)), VERBS));
  }
}

/** Rejects other entries next to `*`. */
function refuseCompany(values: readonly string[], what: string, field: string, errors: FieldError[]): void {
  if (values.length > 1 && values.includes("*")) {
    errors.push(invalidField(field, shown(goTexts(values)), `if '*' is present, must not specify other ${what}`));
  }
}

function urlProblem(url: string): string | undefined {
  if (url === "") return "must not be empty";
  if (url === "/") return undefined;
  if (!url.startsWith("/")) return "must start with slash";
  if (url.includes(" ")) return "must not contain white-space";
  if (url.includes("//")) return "must not contain double slash";
  const wildcards = url.split("*").length - 1;
  return wildcards > 1 || (wildcards === 1 && !url.endsWith("/*")) ? "wildcard can only do suffix matching" : undefined;
}
