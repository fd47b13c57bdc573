import type { Authorizer, RuleResolver } from "../../contract/authorization.ts";
import { alwaysAllow, alwaysDeny, privilegedGroup } from "./fixed-authorizers.ts";
import { UnionAuthorizer } from "./union-authorizer.ts";

export const AUTHORIZATION_MODES = ["ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"] as const;
export type AuthorizationMode = (typeof AUTHORIZATION_MODES)[number];

/** An invalid list of modes; the message says why. */
export class AuthorizationModeError extends Error {
  readonly code = "authorization-mode";
}

export type AuthorizerMember = Authorizer & RuleResolver;

/** The name of a mode, or an authorizer with its own configuration (a webhook). */
export type AuthorizerEntry = string | AuthorizerMember;

/**
 * Combines authorizers: members of `system:masters` are allowed first, then each entry is called in order. `members` are the
 * authorizers of modes that have dependencies; throws for a mode without one.
 */
export function createAuthorizer(
  entries: readonly AuthorizerEntry[],
  members: Partial<Record<AuthorizationMode, AuthorizerMember>>,
): AuthorizerMember {
  const known: typeof members = { AlwaysAllow: alwaysAllow, AlwaysDeny: alwaysDeny, ...members };
  if (entries.length === 0) throw new AuthorizationModeError("at least one authorization-mode must be passed");
  const union = entries.map((mode, index): AuthorizerMember => {
    if (typeof mode !== "string") return mode;
    if (!(AUTHORIZATION_MODES as readonly string[]).includes(mode))
      throw new AuthorizationModeError(`authorization-mode "${mode}" is not a valid mode`);
    if (entries.indexOf(mode) !== index)
      throw new AuthorizationModeError(`authorization-mode "${mode}" has mode specified more than once`);
    const member = known[mode as AuthorizationMode];
    if (member === undefined)
      throw new AuthorizationModeError(`authorization-mode "${mode}" needs a configuration that was not given`);
    return member;
  });
  return new UnionAuthorizer([privilegedGroup, ...union]);
}
