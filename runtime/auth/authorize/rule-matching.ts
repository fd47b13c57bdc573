import { type AccessAttributes, isResourceAccess, type PolicyRule } from "../../contract/authorization.ts";
import { trimEndOf } from "../../lib/trim-character.ts";

/** Whether a rule allows the request. */
export function ruleAllows(rule: PolicyRule, asked: AccessAttributes): boolean {
  if (!includesOrAll(rule.verbs, asked.verb)) return false;
  if (!isResourceAccess(asked)) return pathMatches(rule.nonResourceURLs ?? [], asked.path);
  return (
    includesOrAll(rule.apiGroups ?? [], asked.group) &&
    resourceMatches(rule.resources ?? [], asked.resource, asked.subresource) &&
    nameMatches(rule.resourceNames ?? [], asked.name)
  );
}

function includesOrAll(list: readonly string[], item: string): boolean {
  return list.includes("*") || list.includes(item);
}

/** A rule may contain `*`, `pods`, `pods/log`, or a star before the slash. `pods` does not match its subresources. */
function resourceMatches(list: readonly string[], resource: string, subresource: string): boolean {
  if (list.includes("*")) return true;
  if (subresource === "") return list.includes(resource);
  return list.includes(`${resource}/${subresource}`) || list.includes(`*/${subresource}`);
}

/** A rule with names never matches requests without a name (list, create). */
function nameMatches(list: readonly string[], name: string): boolean {
  return list.length === 0 || list.includes(name);
}

/** Whether a path is listed, or has the prefix of a listed path that ends in `*`. */
export function pathMatches(list: readonly string[], path: string): boolean {
  return list.some((entry) => entry === path || (entry.endsWith("*") && path.startsWith(trimEndOf(entry, "*"))));
}
