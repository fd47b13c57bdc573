import {
  type AuthenticationResult,
  type Credentials,
  CredentialsError,
  type RequestAuthenticator,
} from "../../contract/authentication.ts";
import type { UserInfo } from "../../contract/user-info.ts";
import { unauthorized } from "../../values/status-errors.ts";

const ANONYMOUS: AuthenticationResult = {
  user: { name: "system:anonymous", groups: ["system:unauthenticated"] },
};

export interface AnonymousAccess {
  readonly enabled: boolean;
  /** Where given, only requests for these paths may be anonymous. */
  readonly paths?: readonly string[];
}

/**
 * Finds out who sent a request: each authenticator in turn, then nobody in particular if that is allowed. Wrong credentials
 * never count as none. Throws the 401 Status.
 */
export class RequestAuthentication {
  readonly #members: readonly RequestAuthenticator[];
  readonly #anonymous: AnonymousAccess;

  constructor(members: readonly RequestAuthenticator[], anonymous: AnonymousAccess) {
    this.#members = members;
    this.#anonymous = anonymous;
  }

  async authenticate(credentials: Credentials): Promise<AuthenticationResult> {
    let wrong = false;
    for (const member of this.#members)
      try {
        const result = await member.authenticate(credentials);
        if (result !== undefined) return { ...result, user: asAuthenticated(result.user) };
      } catch (error) {
        if (!(error instanceof CredentialsError)) throw error;
        wrong = true;
      }
    const { enabled, paths } = this.#anonymous;
    if (wrong || !enabled || (paths !== undefined && !paths.includes(credentials.path))) throw unauthorized();
    return ANONYMOUS;
  }
}

/** Everybody who proved a name is in `system:authenticated`, unless they said otherwise. */
export function asAuthenticated(user: UserInfo): UserInfo {
  if (user.name === "system:anonymous") return user;
  if (user.groups.some((group) => group === "system:authenticated" || group === "system:unauthenticated")) return user;
  return { ...user, groups: [...user.groups, "system:authenticated"] };
}
