import type { PolicyRule, RuleResolver } from "../../contract/authorization.ts";
import type { VirtualKind } from "../../contract/virtual-kind.ts";
import { badRequest } from "../../values/status-errors.ts";

/**
 * Maximum number of verbs, groups, resources, names and paths in a response. For users with many roles it would otherwise be hundreds of megabytes.
 */
const MOST_ENTRIES = 100_000;

/** Lists the rules of the requesting user in a namespace. */
export function createSelfSubjectRulesReview(parts: { readonly rules: RuleResolver }): VirtualKind {
  return async ({ object, user, admit }) => {
    const namespace = (object.spec as { namespace?: string } | undefined)?.namespace ?? "";
    if (namespace === "") throw badRequest("no namespace on request");
    await admit(object);
    const { rules: held, incomplete, error } = await parts.rules.rulesFor(user, namespace);
    const rules = shownRules(held);
    const { apiVersion, kind } = object;
    return {
      ...(kind !== undefined && { kind }),
      ...(apiVersion !== undefined && { apiVersion }),
      metadata: { creationTimestamp: null },
      spec: {},
      status: {
        resourceRules: rules
          .filter((rule) => rule.resources?.length)
          .map(({ verbs, apiGroups, resources, resourceNames }) => ({
            verbs,
            apiGroups,
            resources,
            ...(resourceNames?.length && { resourceNames }),
          })),
        nonResourceRules: rules
          .filter((rule) => rule.nonResourceURLs?.length)
          .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
        incomplete: incomplete || rules.length < held.length,
        ...(error !== undefined && { evaluationError: error }),
      },
    };
  };
}

function shownRules(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  let entries = 0;
  const end = rules.findIndex((rule) => {
    for (const list of [rule.verbs, rule.apiGroups, rule.resources, rule.resourceNames, rule.nonResourceURLs])
      entries += list?.length ?? 0;
    return entries > MOST_ENTRIES;
  });
  return end < 0 ? rules : rules.slice(0, end);
}
