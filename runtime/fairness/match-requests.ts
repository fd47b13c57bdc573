import type { PathRequestInfo, RequestInfo, ResourceRequestInfo } from "../contract/request-info.ts";
import type { UserInfo } from "../contract/user-info.ts";
import type { FlowSchemaSpec, PathRule, PolicyRules, ResourceRule, Subject } from "./configuration.ts";

/** Whether a FlowSchema applies to a request. */
export type RequestMatcher = (info: RequestInfo, user: UserInfo) => boolean;

const ACCOUNT_PREFIX = "system:serviceaccount:";

/** Compiles the rules of a FlowSchema. A request matches if a subject and a rule of the same entry match. */
export function compileRules({ rules = [] }: FlowSchemaSpec): RequestMatcher {
  return anyOf(rules.map(compileEntry));
}

/** Returns the distinguisher of flows within a schema: the user name, the namespace or an empty string. */
export function flowOf(method: string | undefined, info: RequestInfo, user: UserInfo): string {
  if (method === "ByUser") return user.name;
  return method === "ByNamespace" && info.isResource ? info.namespace : "";
}

function compileEntry({ subjects, resourceRules = [], nonResourceRules = [] }: PolicyRules): RequestMatcher {
  const isSubject = anyOf((subjects ?? []).map(compileSubject));
  const isResource = anyOf(resourceRules.map(compileResourceRule));
  const isPath = anyOf(nonResourceRules.map(compilePathRule));
  return (info, user) => isSubject(user) && (info.isResource ? isResource(info) : isPath(info));
}

function compileSubject({ kind, user, group, serviceAccount }: Subject): (user: UserInfo) => boolean {
  if (kind === "User" && user !== undefined) {
    return user.name === "*" ? () => true : ({ name }) => name === user.name;
  }
  if (kind === "Group" && group?.name !== undefined) {
    const { name } = group;
    return name === "*" ? () => true : ({ groups }) => groups.includes(name);
  }
  if (kind === "ServiceAccount" && serviceAccount !== undefined) {
    const { namespace = "", name: account = "" } = serviceAccount;
    const prefix = `${ACCOUNT_PREFIX}${namespace}:`;
    return account === "*" ? ({ name }) => name.startsWith(prefix) : ({ name }) => name === prefix + account;
  }
  return () => false;
}

function compileResourceRule(rule: ResourceRule): (info: ResourceRequestInfo) => boolean {
  const isVerb = compileNames(rule.verbs);
  const isResource = compileNames(rule.resources);
  const isGroup = compileNames(rule.apiGroups);
  const isNamespace = compileNames(rule.namespaces);
  const { clusterScope = false } = rule;
  return ({ verb, resource, subresource, group, namespace }) =>
    isVerb(verb) &&
    isResource(subresource === "" ? resource : `${resource}/${subresource}`) &&
    isGroup(group) &&
    (namespace === "" ? clusterScope : isNamespace(namespace));
}

/** A path rule matches the path itself and every path below it, with or without a final `*`. */
function compilePathRule({ verbs, nonResourceURLs }: PathRule): (info: PathRequestInfo) => boolean {
  const isVerb = compileNames(verbs);
  const isPath = anyOf(
    (nonResourceURLs ?? []).map((rule) => {
      if (rule === "*") return () => true;
      const stem = rule.endsWith("*") ? rule.slice(0, -1) : rule;
      const prefix = stem.endsWith("/") ? stem : `${stem}/`;
      return (path: string) => path === rule || path.startsWith(prefix);
    }),
  );
  return ({ verb, path }) => isVerb(verb) && isPath(path);
}

/** Validation ensures that `*` is the only entry of its list. */
function compileNames(given: readonly string[] | null | undefined): (name: string) => boolean {
  const names = given ?? [];
  if (names.length === 1) {
    const [only] = names;
    return only === "*" ? () => true : (name) => name === only;
  }
  return (name) => names.includes(name);
}

function anyOf<Values extends unknown[]>(tests: readonly ((...values: Values) => boolean)[]) {
  const [only] = tests;
  if (tests.length === 1 && only !== undefined) return only;
  return (...values: Values): boolean => {
    for (const test of tests) if (test(...values)) return true;
    return false;
  };
}
