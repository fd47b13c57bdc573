import { type AccessAttributes, isResourceAccess, type PolicyRule } from "../../contract/authorization.ts";
import { trimEndOf } from "../../lib/trim-character.ts";

/** Whether one rule permits what is asked. */
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

/** `*`, `pods`, `pods/log` and a star before the slash are the forms a rule may use; `pods` does not cover its subresources. */
function resourceMatches(list: readonly string[], resource: string, subresource: string): boolean {
  if (list.includes("*")) return true;
  if (subresource === "") return list.includes(resource);
  return list.includes(`${resource}/${subresource}`) || list.includes(`*/${subresource}`);
}

/** A rule with names never covers requests without one (list, create). */
function nameMatches(list: readonly string[], name: string): boolean {
  return list.length === 0 || list.includes(name);
}

/** Whether a path is listed, or begins as one of the listed paths that end in `*`. */
export function pathMatches(list: readonly string[], path: string): boolean {
  return list.some((entry) => entry === path || (entry.endsWith("*") && path.startsWith(trimEndOf(entry, "*"))));
}
