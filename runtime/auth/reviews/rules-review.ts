import type { RuleResolver } from "../../contract/authorization.ts";
import type { VirtualKind } from "../../contract/virtual-kind.ts";
import { badRequest } from "../../values/status-errors.ts";

/** Lists the rules of the requesting user in a namespace. */
export function createSelfSubjectRulesReview(parts: { readonly rules: RuleResolver }): VirtualKind {
  return async ({ object, user, admit }) => {
    const namespace = (object.spec as { namespace?: string } | undefined)?.namespace ?? "";
    if (namespace === "") throw badRequest("no namespace on request");
    await admit(object);
    const { rules, incomplete, error } = await parts.rules.rulesFor(user, namespace);
    const { apiVersion, kind } = object;
    return {
      ...(apiVersion !== undefined && { apiVersion }),
      ...(kind !== undefined && { kind }),
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
        incomplete,
        ...(error !== undefined && { evaluationError: error }),
      },
    };
  };
}
