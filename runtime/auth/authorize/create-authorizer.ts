import type { Authorizer, RuleResolver } from "../../contract/authorization.ts";
import { alwaysAllow, alwaysDeny, privilegedGroup } from "./fixed-authorizers.ts";
import { UnionAuthorizer } from "./union-authorizer.ts";

export const AUTHORIZATION_MODES = ["ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"] as const;
export type AuthorizationMode = (typeof AUTHORIZATION_MODES)[number];

/** A list of modes that cannot be used, and why. */
export class AuthorizationModeError extends Error {
  readonly code = "authorization-mode";
}

/**
 * Puts together the authorizer of `--authorization-mode`: members of `system:masters` first, then each mode in the order
 * given. `members` holds the authorizers of the modes that need something of their own; a mode without one is refused.
 */
export function createAuthorizer(
  modes: readonly string[],
  members: Partial<Record<AuthorizationMode, Authorizer & RuleResolver>>,
): Authorizer & RuleResolver {
  const known: typeof members = { AlwaysAllow: alwaysAllow, AlwaysDeny: alwaysDeny, ...members };
  if (modes.length === 0) throw new AuthorizationModeError("at least one authorization-mode must be passed");
  const union: (Authorizer & RuleResolver)[] = [privilegedGroup];
  modes.forEach((mode, index) => {
    if (!(AUTHORIZATION_MODES as readonly string[]).includes(mode))
      throw new AuthorizationModeError(`authorization-mode "${mode}" is not a valid mode`);
    if (modes.indexOf(mode) !== index)
      throw new AuthorizationModeError(`authorization-mode "${mode}" has mode specified more than once`);
    const member = known[mode as AuthorizationMode];
    if (member === undefined)
      throw new AuthorizationModeError(`authorization-mode "${mode}" needs a configuration that was not given`);
    union.push(member);
  });
  return new UnionAuthorizer(union);
}
