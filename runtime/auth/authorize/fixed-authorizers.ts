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

/** `--authorization-mode=AlwaysDeny`: never allows, but returns no opinion, so that a later authorizer may allow. */
export const alwaysDeny: Authorizer & RuleResolver = {
  authorize: () => ({ decision: "noOpinion", reason: "Everything is forbidden." }),
  rulesFor: () => ({ rules: [], incomplete: false }),
};

/** Members of `system:masters` are allowed everything in all modes, so that a cluster with a broken policy can be repaired. */
export const privilegedGroup: Authorizer & RuleResolver = {
  authorize: ({ user }) =>
    user.groups.includes("system:masters") ? { decision: "allow", reason: "" } : { decision: "noOpinion", reason: "" },
  rulesFor: () => ({ rules: [], incomplete: false }),
};
