import type { AccessDecision, Authorizer, RuleResolver } from "../../contract/authorization.ts";
import { alwaysAllow, alwaysDeny, privilegedGroup } from "./fixed-authorizers.ts";
import { UnionAuthorizer } from "./union-authorizer.ts";

export const AUTHORIZATION_MODES = ["ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"] as const;
export type AuthorizationMode = (typeof AUTHORIZATION_MODES)[number];

/** The list of modes is invalid; the message contains the reason. */
export class AuthorizationModeError extends Error {
  readonly code = "authorization-mode";
}

export type AuthorizerMember = Authorizer & RuleResolver;

/** The name of a mode, or an authorizer that is already configured (a webhook). */
export type AuthorizerEntry = string | (AuthorizerMember & { readonly label?: AuthorizerLabel });

/** Labels of an authorizer in metrics. The name of a mode is its lower-case form. */
export interface AuthorizerLabel {
  readonly type: AuthorizationMode;
  readonly name: string;
}

/** Called when an authorizer allows or denies a request. */
export type Decided = (label: AuthorizerLabel, decision: "allowed" | "denied") => void;

/**
 * Combines authorizers: members of `system:masters` are allowed first, then the entries are called in order. `members` are the authorizers of modes
 * with dependencies. Throws an AuthorizationModeError for a mode without authorizer.
 */
export function createAuthorizer(
  entries: readonly AuthorizerEntry[],
  members: Partial<Record<AuthorizationMode, AuthorizerMember>>,
  decided?: Decided,
): AuthorizerMember {
  const known: typeof members = { AlwaysAllow: alwaysAllow, AlwaysDeny: alwaysDeny, ...members };
  if (entries.length === 0) throw new AuthorizationModeError("at least one authorization-mode must be passed");
  const union = entries.map((mode, index): AuthorizerMember => {
    if (typeof mode !== "string") return counted(mode, mode.label, decided);
    if (!(AUTHORIZATION_MODES as readonly string[]).includes(mode))
      throw new AuthorizationModeError(
        `authorization-mode "${mode}" is not a valid mode: use ${AUTHORIZATION_MODES.join(", ")}`,
      );
    if (entries.indexOf(mode) !== index)
      throw new AuthorizationModeError(`authorization-mode "${mode}" has mode specified more than once`);
    const member = known[mode as AuthorizationMode];
    if (member === undefined)
      throw new AuthorizationModeError(`authorization-mode "${mode}" needs a configuration that was not given`);
    return counted(member, { type: mode as AuthorizationMode, name: mode.toLowerCase() }, decided);
  });
  return new UnionAuthorizer([privilegedGroup, ...union]);
}

function counted(
  member: AuthorizerMember,
  label: AuthorizerLabel | undefined,
  decided: Decided | undefined,
): AuthorizerMember {
  if (label === undefined || decided === undefined) return member;
  const note = (answer: AccessDecision): AccessDecision => {
    if (answer.decision !== "noOpinion") decided(label, answer.decision === "allow" ? "allowed" : "denied");
    return answer;
  };
  return {
    authorize: (asked) => {
      const answer = member.authorize(asked);
      return answer instanceof Promise ? answer.then(note) : note(answer);
    },
    rulesFor: (user, namespace) => member.rulesFor(user, namespace),
  };
}
