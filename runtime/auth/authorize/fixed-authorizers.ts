import type { Authorizer, RuleResolver } from "../../contract/authorization.ts";

/** `--authorization-mode=AlwaysAllow`. */
export const alwaysAllow: Authorizer & RuleResolver = {
  authorize: () => ({ decision: "allow", reason: "" }),
  rulesFor: () => ({
    rules: [
      { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
      { verbs: ["*"], nonResourceURLs: ["*"] },
    ],
    incomplete: false,
  }),
};

/** `--authorization-mode=AlwaysDeny`: never allows, yet lets a later authorizer speak. */
export const alwaysDeny: Authorizer & RuleResolver = {
  authorize: () => ({ decision: "noOpinion", reason: "Everything is forbidden." }),
  rulesFor: () => ({ rules: [], incomplete: false }),
};

/** Members of `system:masters` may do everything, whatever the modes; it is how a locked-out cluster is repaired. */
export const privilegedGroup: Authorizer & RuleResolver = {
  authorize: ({ user }) =>
    user.groups.includes("system:masters") ? { decision: "allow", reason: "" } : { decision: "noOpinion", reason: "" },
  rulesFor: () => ({ rules: [], incomplete: false }),
};
