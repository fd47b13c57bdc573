import type { PolicyRule } from "../../contract/authorization.ts";
import { goQuoteList } from "../../go/quote.ts";
import { append } from "../../lib/append.ts";
import type { Steps } from "../../lib/in-turns.ts";
import { trimEndOf } from "../../lib/trim-character.ts";

/** Combinations of verb, group, resource and name are checked one by one: a few lines of rules can stand for billions of them. */
const MOST_CHECKS = 500_000;
const MOST_RULES = 10_000;

/** Rules that are not covered, split into rules with one verb, group, resource and name (or path) each. */
export interface Uncovered {
  readonly rules: readonly PolicyRule[];
  /** False if there were too many combinations to check all of them. */
  readonly isComplete: boolean;
}

/** Returns the rules of `wanted` that `held` does not cover. */
export function* uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): Steps<Uncovered> {
  const known = new HeldRules();
  for (const rule of held) {
    known.add(rule);
    yield;
  }
  const rules: PolicyRule[] = [];
  for (const rule of wanted) {
    if (known.checks > MOST_CHECKS) return { rules, isComplete: false };
    if (!known.coverWhole(rule)) {
      for (const single of singlesOf(rule)) {
        if (rules.length === MOST_RULES || known.checks > MOST_CHECKS) return { rules, isComplete: false };
        if (!known.cover(single)) rules.push(single);
        yield;
      }
    }
    yield;
  }
  return { rules, isComplete: true };
}

function* singlesOf(rule: PolicyRule): Generator<PolicyRule> {
  const names = rule.resourceNames?.length ? rule.resourceNames : [undefined];
  for (const group of rule.apiGroups ?? [])
    for (const resource of rule.resources ?? [])
      for (const verb of rule.verbs)
        for (const name of names) {
          const single = { apiGroups: [group], resources: [resource], verbs: [verb] };
          yield name === undefined ? single : { ...single, resourceNames: [name] };
        }
  for (const path of rule.nonResourceURLs ?? [])
    for (const verb of rule.verbs) yield { nonResourceURLs: [path], verbs: [verb] };
}

interface HeldRule {
  readonly verbs: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly resources: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

/** Rules of a user, indexed by resource and by path. */
class HeldRules {
  readonly #byResource = new Map<string, HeldRule[]>();
  readonly #byPath = new Map<string, HeldRule[]>();
  readonly #byPrefix: { readonly prefix: string; readonly rule: HeldRule }[] = [];
  /** Number of comparisons so far. */
  checks = 0;

  add({ verbs, apiGroups, resources = [], resourceNames, nonResourceURLs = [] }: PolicyRule): void {
    const rule: HeldRule = {
      verbs: new Set(verbs),
      groups: new Set(apiGroups),
      resources: new Set(resources),
      names: new Set(resourceNames),
    };
    for (const resource of rule.resources) addTo(this.#byResource, resource, rule);
    // A rule with names applies to objects, not to paths.
    if (rule.names.size > 0) return;
    for (const path of new Set(nonResourceURLs)) {
      addTo(this.#byPath, path, rule);
      if (path.endsWith("*")) this.#byPrefix.push({ prefix: trimEndOf(path, "*"), rule });
    }
  }

  /** Whether one held rule covers all entries of another rule. Only for rules without paths. */
  coverWhole(wanted: PolicyRule): boolean {
    const [resource, path] = [wanted.resources?.[0], wanted.nonResourceURLs?.[0]];
    return resource !== undefined && path === undefined && this.#coverResources(wanted, resource);
  }

  /** Whether a held rule covers a rule with at most one entry in each list. */
  cover(single: PolicyRule): boolean {
    const [resource, path] = [single.resources?.[0], single.nonResourceURLs?.[0]];
    return path === undefined ? this.#coverResources(single, resource ?? "") : this.#coverPath(path, single.verbs);
  }

  #coverResources(wanted: PolicyRule, resource: string): boolean {
    for (const place of ["*", resource, anyWithSubresource(resource)]) {
      for (const rule of this.#byResource.get(place) ?? []) {
        this.checks++;
        if (covers(rule, wanted)) return true;
      }
    }
    return false;
  }

  #coverPath(path: string, verbs: readonly string[]): boolean {
    const isCovered = (rule: HeldRule): boolean => {
      this.checks++;
      return hasAll(rule.verbs, verbs);
    };
    if (this.#byPath.get(path)?.some(isCovered)) return true;
    return this.#byPrefix.some(({ prefix, rule }) => {
      this.checks++;
      return path.startsWith(prefix) && isCovered(rule);
    });
  }
}

function addTo(rules: Map<string, HeldRule[]>, place: string, rule: HeldRule): void {
  const there = rules.get(place);
  if (there === undefined) rules.set(place, [rule]);
  else there.push(rule);
}

function covers(rule: HeldRule, { verbs, apiGroups = [], resources = [], resourceNames = [] }: PolicyRule): boolean {
  if (rule.names.size > 0 && !(resourceNames.length > 0 && resourceNames.every((name) => rule.names.has(name)))) {
    return false;
  }
  return (
    hasAll(rule.verbs, verbs) &&
    hasAll(rule.groups, apiGroups) &&
    (rule.resources.has("*") ||
      resources.every((each) => rule.resources.has(each) || rule.resources.has(anyWithSubresource(each))))
  );
}

function hasAll(held: ReadonlySet<string>, wanted: readonly string[]): boolean {
  return held.has("*") || wanted.every((item) => held.has(item));
}

/** Returns `*` with the subresource: a star and `/scale` for `deployments/scale`. Returns a resource without subresource unchanged. */
function anyWithSubresource(resource: string): string {
  const slash = resource.indexOf("/");
  return slash < 0 ? resource : `*${resource.slice(slash)}`;
}

/** Joins split rules by group, resource and name into sorted lines. */
export function describeRules(singles: readonly PolicyRule[]): string {
  const byResource = new Map<string, PolicyRule & { verbs: string[] }>();
  const lines = new Set<string>();
  for (const rule of singles) {
    if (rule.nonResourceURLs !== undefined) {
      lines.add(describeRule(rule));
      continue;
    }
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames]);
    const known = byResource.get(key);
    if (known === undefined) byResource.set(key, { ...rule, verbs: [...rule.verbs] });
    else append(known.verbs, rule.verbs);
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
