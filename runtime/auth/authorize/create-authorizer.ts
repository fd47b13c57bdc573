import type { Authorizer, RuleResolver } from "../../contract/authorization.ts";
import { alwaysAllow, alwaysDeny, privilegedGroup } from "./fixed-authorizers.ts";
import { UnionAuthorizer } from "./union-authorizer.ts";

export const AUTHORIZATION_MODES = ["ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"] as const;
export type AuthorizationMode = (typeof AUTHORIZATION_MODES)[number];

/** A list of modes that cannot be used, and why. */
export class AuthorizationModeError extends Error {
  readonly code = "authorization-mode";
}

export type AuthorizerMember = Authorizer & RuleResolver;

/** A mode by its name, or an authorizer that was made from a configuration of its own (a webhook). */
export type AuthorizerEntry = string | AuthorizerMember;

/**
 * Puts authorizers together: members of `system:masters` first, then each entry in the order given. `members` holds the
 * authorizers of the modes that need something of their own; a mode without one is refused.
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
