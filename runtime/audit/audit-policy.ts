import { type AccessAttributes, isResourceAccess, type ResourceAccess } from "../contract/authorization.ts";
import { trimEndOf } from "../lib/trim-character.ts";

export const AUDIT_LEVELS = ["None", "Metadata", "Request", "RequestResponse"] as const;
export type AuditLevel = (typeof AUDIT_LEVELS)[number];
export const AUDIT_STAGES = ["RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"] as const;
export type AuditStage = (typeof AUDIT_STAGES)[number];

/** The kind Policy of `audit.<domain>/v1`: which requests are audited, and at which level. */
export interface AuditPolicy {
  readonly rules?: readonly AuditPolicyRule[] | null;
  readonly omitStages?: readonly string[] | null;
  readonly omitManagedFields?: boolean;
}

export interface AuditPolicyRule {
  readonly level?: string;
  readonly users?: readonly string[] | null;
  readonly userGroups?: readonly string[] | null;
  readonly verbs?: readonly string[] | null;
  readonly resources?: readonly AuditResources[] | null;
  readonly namespaces?: readonly string[] | null;
  readonly nonResourceURLs?: readonly string[] | null;
  readonly omitStages?: readonly string[] | null;
  readonly omitManagedFields?: boolean;
}

export interface AuditResources {
  readonly group?: string;
  readonly resources?: readonly string[] | null;
  readonly resourceNames?: readonly string[] | null;
}

/** The decision of the policy for one request. */
export interface AuditVerdict {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<string>;
  readonly omitManagedFields: boolean;
}

type Matches = (attributes: AccessAttributes) => boolean;

/** Compiles the policy. The first rule that matches a request decides. Requests without a matching rule are not audited. */
export function compilePolicy(policy: AuditPolicy): (attributes: AccessAttributes) => AuditVerdict {
  const rules = (policy.rules ?? []).map((rule) => ({
    matches: compileRule(rule),
    verdict: {
      level: rule.level as AuditLevel,
      omitStages: new Set([...(policy.omitStages ?? []), ...(rule.omitStages ?? [])]),
      omitManagedFields: rule.omitManagedFields ?? policy.omitManagedFields ?? false,
    },
  }));
  const otherwise: AuditVerdict = { level: "None", omitStages: new Set(), omitManagedFields: false };
  return (attributes) => rules.find(({ matches }) => matches(attributes))?.verdict ?? otherwise;
}

function compileRule(rule: AuditPolicyRule): Matches {
  const conditions: Matches[] = [];
  if (hasSome(rule.users)) conditions.push(oneOf(rule.users, ({ user }) => user.name));
  if (hasSome(rule.userGroups)) {
    const groups = new Set(rule.userGroups);
    conditions.push(({ user }) => user.groups.some((group) => groups.has(group)));
  }
  if (hasSome(rule.verbs)) conditions.push(oneOf(rule.verbs, ({ verb }) => verb));
  if (hasSome(rule.namespaces) || hasSome(rule.resources)) {
    conditions.push(resourceCondition(rule));
  } else if (hasSome(rule.nonResourceURLs)) {
    const patterns = rule.nonResourceURLs;
    conditions.push((asked) => "path" in asked && patterns.some((pattern) => matchesPath(asked.path, pattern)));
  }
  return (attributes) => conditions.every((holds) => holds(attributes));
}

function hasSome<T>(list: readonly T[] | null | undefined): list is readonly T[] {
  return list != null && list.length > 0;
}

function oneOf(values: readonly string[], of: (attributes: AccessAttributes) => string): Matches {
  const known = new Set(values);
  return (attributes) => known.has(of(attributes));
}

/** `*` matches every path; `/healthz*` matches every path with this prefix. */
function matchesPath(path: string, pattern: string): boolean {
  return pattern === path || (pattern.endsWith("*") && path.startsWith(trimEndOf(pattern, "*")));
}

function resourceCondition({ namespaces, resources }: AuditPolicyRule): Matches {
  const within = hasSome(namespaces) ? new Set(namespaces) : undefined;
  return (asked) => {
    if (!isResourceAccess(asked)) return false;
    if (within !== undefined && !within.has(asked.namespace)) return false;
    return !hasSome(resources) || resources.some((some) => matchesResources(asked, some));
  };
}

function matchesResources(asked: ResourceAccess, { group = "", resources, resourceNames }: AuditResources): boolean {
  if (group !== asked.group) return false;
  if (!hasSome(resources)) return true;
  if (hasSome(resourceNames) && !resourceNames.includes(asked.name)) return false;
  return resources.some((pattern) => matchesResource(asked, pattern));
}

/** `pods` does not match its subresources. `pods/*` matches both, `*\/status` matches the subresource of any resource, `*` matches everything. */
function matchesResource({ resource, subresource }: ResourceAccess, pattern: string): boolean {
  if (pattern === "*" || pattern === (subresource === "" ? resource : `${resource}/${subresource}`)) return true;
  return pattern === `${resource}/*` || (subresource !== "" && pattern === `*/${subresource}`);
}
