import {
  type AccessAttributes,
  type AccessDecision,
  type Authorizer,
  isResourceAccess,
  type PolicyRule,
  type RuleResolver,
} from "../../contract/authorization.ts";
import type { UserInfo } from "../../contract/user-info.ts";
import { parseJson } from "../../encoding/json/parse-json.ts";
import { didYouMean } from "../../lib/did-you-mean.ts";
import { isJsonObject } from "../../lib/json-object.ts";
import { ConfigFileError } from "../../schema/load-config-file.ts";

/** One rule of attribute-based access control. `*` matches any value. */
interface Policy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

const FIELDS = ["user", "group", "readonly", "apiGroup", "resource", "namespace", "nonResourcePath"] as const;
const READING = ["get", "list", "watch"];
const AUTHENTICATED = "system:authenticated";
const ALLOWED: AccessDecision = { decision: "allow", reason: "" };
const NO_OPINION: AccessDecision = { decision: "noOpinion", reason: "No policy matched." };

/** Allows requests that match a policy of `--authorization-policy-file`; has no opinion on others. */
export function createAbacAuthorizer(policies: readonly Policy[]): Authorizer & RuleResolver {
  return {
    authorize: (access) => (policies.some((policy) => allows(policy, access)) ? ALLOWED : NO_OPINION),
    rulesFor: (user, namespace) => ({
      rules: policies.filter((policy) => isFor(policy, user) && matches(policy.namespace, namespace)).flatMap(rulesOf),
      incomplete: false,
    }),
  };
}

/**
 * Parses policies from a file with one JSON object per line. Skips blank lines and lines that start with `#`. Throws a ConfigFileError with the line
 * of the first error.
 */
export function parseAbacPolicies(file: string, text: string, apiVersion: string): Policy[] {
  return text.split("\n").flatMap((line, index) => {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#")) return [];
    const fail = (problem: string): never => {
      throw new ConfigFileError(`${file}: line ${index + 1}: ${problem}`);
    };
    let value: unknown;
    try {
      ({ value } = parseJson(trimmed));
    } catch (error) {
      return fail((error as Error).message);
    }
    const policy = isJsonObject(value) ? value : fail("must be a JSON object");
    if (policy.apiVersion !== apiVersion || policy.kind !== "Policy") {
      fail(`apiVersion and kind must be ${apiVersion} Policy`);
    }
    return [readSpec(isJsonObject(policy.spec) ? policy.spec : {}, fail)];
  });
}

function readSpec(spec: Readonly<Record<string, unknown>>, fail: (problem: string) => never): Policy {
  const names: readonly string[] = FIELDS;
  for (const [name, value] of Object.entries(spec)) {
    if (!names.includes(name)) fail(`spec.${name}: unknown field${didYouMean(name, names)}`);
    const type = name === "readonly" ? "boolean" : "string";
    const actual = typeof value;
    if (actual !== type) fail(`spec.${name}: must be a ${type}`);
  }
  const text = (name: string): string => String(spec[name] ?? "");
  const isForAll = spec.user === "*" || spec.group === "*";
  return {
    user: isForAll ? "" : text("user"),
    group: isForAll ? AUTHENTICATED : text("group"),
    readonly: spec.readonly === true,
    apiGroup: text("apiGroup"),
    resource: text("resource"),
    namespace: text("namespace"),
    nonResourcePath: text("nonResourcePath"),
  };
}

function allows(policy: Policy, access: AccessAttributes): boolean {
  if (!isFor(policy, access.user) || (policy.readonly && !READING.includes(access.verb))) return false;
  if (isResourceAccess(access)) {
    return (
      matches(policy.namespace, access.namespace) &&
      matches(policy.resource, access.resource) &&
      matches(policy.apiGroup, access.group)
    );
  }
  const { nonResourcePath: path } = policy;
  return path === access.path || (path.endsWith("*") && access.path.startsWith(path.slice(0, -1)));
}

/** Whether the policy applies to the user. If it names both a user and a group, both must match. */
function isFor({ user, group }: Policy, { name, groups = [] }: UserInfo): boolean {
  if (user === "" && group === "") return false;
  return (user === "" || user === name) && (group === "" || groups.includes(group));
}

function matches(pattern: string, value: string): boolean {
  return pattern === "*" || pattern === value;
}

function rulesOf({ readonly, apiGroup, resource, nonResourcePath }: Policy): PolicyRule[] {
  const verbs = readonly ? READING : ["*"];
  return [
    ...(resource === "" ? [] : [{ verbs, apiGroups: [apiGroup], resources: [resource] }]),
    ...(nonResourcePath === "" ? [] : [{ verbs, nonResourceURLs: [nonResourcePath] }]),
  ];
}
