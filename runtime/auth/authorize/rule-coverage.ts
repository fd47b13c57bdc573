import type { PolicyRule } from "../../contract/authorization.ts";
import { goQuoteList } from "../../go/quote.ts";
import { pathMatches } from "./rule-matching.ts";

/** The rules of `wanted` that `held` does not cover, split into rules with one verb, group, resource and name (or path) each. */
export function uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(breakDown).filter((single) => !held.some((rule) => covers(rule, single)));
}

function breakDown(rule: PolicyRule): PolicyRule[] {
  const singles: PolicyRule[] = [];
  const names = rule.resourceNames?.length ? rule.resourceNames : [undefined];
  for (const group of rule.apiGroups ?? [])
    for (const resource of rule.resources ?? [])
      for (const verb of rule.verbs)
        for (const name of names) {
          const single = { apiGroups: [group], resources: [resource], verbs: [verb] };
          singles.push(name === undefined ? single : { ...single, resourceNames: [name] });
        }
  for (const path of rule.nonResourceURLs ?? [])
    for (const verb of rule.verbs) singles.push({ nonResourceURLs: [path], verbs: [verb] });
  return singles;
}

/** `single` has at most one entry in each list. */
function covers(rule: PolicyRule, single: PolicyRule): boolean {
  return (
    listCovers(rule.verbs, single.verbs) &&
    listCovers(rule.apiGroups ?? [], single.apiGroups ?? []) &&
    resourcesCover(rule.resources ?? [], single.resources ?? []) &&
    namesCover(rule.resourceNames ?? [], single.resourceNames ?? []) &&
    (single.nonResourceURLs ?? []).every((path) => pathMatches(rule.nonResourceURLs ?? [], path))
  );
}

function listCovers(held: readonly string[], wanted: readonly string[]): boolean {
  return held.includes("*") || wanted.every((item) => held.includes(item));
}

function resourcesCover(held: readonly string[], wanted: readonly string[]): boolean {
  if (held.includes("*")) return true;
  return wanted.every((resource) => {
    if (held.includes(resource)) return true;
    const slash = resource.indexOf("/");
    return slash >= 0 && held.includes(`*${resource.slice(slash)}`);
  });
}

function namesCover(held: readonly string[], wanted: readonly string[]): boolean {
  if (held.length === 0) return true;
  return wanted.length > 0 && wanted.every((name) => held.includes(name));
}

/** Joins split rules by group, resource and name into lines of text, sorted. */
export function describeRules(singles: readonly PolicyRule[]): string {
  const byResource = new Map<string, PolicyRule>();
  const lines = new Set<string>();
  for (const rule of singles) {
    if (rule.nonResourceURLs !== undefined) {
      lines.add(describeRule(rule));
      continue;
    }
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames]);
    const known = byResource.get(key);
    byResource.set(key, known === undefined ? rule : { ...known, verbs: [...known.verbs, ...rule.verbs] });
  }
  for (const rule of byResource.values()) lines.add(describeRule(rule));
  return [...lines].sort().join("\n");
}

function describeRule(rule: PolicyRule): string {
  const parts: string[] = [];
  const add = (label: string, list: readonly string[] | undefined) => {
    if (list?.length) parts.push(`${label}:${goQuoteList(list)}`);
  };
  add("APIGroups", rule.apiGroups);
  add("Resources", rule.resources);
  add("NonResourceURLs", rule.nonResourceURLs);
  add("ResourceNames", rule.resourceNames);
  add("Verbs", rule.verbs);
  return `{${parts.join(", ")}}`;
}
