import { type Credentials, CredentialsError, type RequestAuthenticator } from "../../contract/authentication.ts";
import type { UserInfo } from "../../contract/user-info.ts";
import { unauthorized } from "../../values/status-errors.ts";
import { joinRefusals } from "./join-refusals.ts";

const ANONYMOUS: UserInfo = { name: "system:anonymous", groups: ["system:unauthenticated"] };

export interface AnonymousAccess {
  readonly enabled: boolean;
  /** If set, only requests for these paths may be anonymous. */
  readonly paths?: readonly string[];
}

/**
 * Authenticates a request: calls each authenticator in turn, then falls back to the anonymous user if that is allowed. A request with invalid
 * credentials is never anonymous. Throws the 401 Status with the CredentialsError as its cause.
 */
export class RequestAuthentication {
  readonly #members: readonly RequestAuthenticator[];
  readonly #anonymous: AnonymousAccess;
  readonly #refused: (reason: string) => void;

  /** `refused` receives the reason of each rejection, which the client does not. */
  constructor(
    members: readonly RequestAuthenticator[],
    anonymous: AnonymousAccess,
    refused: (reason: string) => void = () => undefined,
  ) {
    this.#members = members;
    this.#anonymous = anonymous;
    this.#refused = refused;
  }

  async authenticate(credentials: Credentials): Promise<UserInfo> {
    const reasons: CredentialsError[] = [];
    for (const member of this.#members)
      try {
        const result = await member.authenticate(credentials);
        if (result === undefined) continue;
        for (const warning of result.warnings ?? []) credentials.warn(warning);
        for (const [key, value] of Object.entries(result.annotations ?? {})) credentials.annotate(key, value);
        return asAuthenticated(result.user);
      } catch (error) {
        if (!(error instanceof CredentialsError)) throw error;
        reasons.push(error);
      }
    if (reasons.length > 0) {
      const cause = joinRefusals(reasons);
      this.#refused(cause.detail);
      throw unauthorized({ cause });
    }
    const { enabled, paths } = this.#anonymous;
    if (!enabled || (paths !== undefined && !paths.includes(credentials.path))) throw unauthorized();
    return ANONYMOUS;
  }
}

/** Adds the group `system:authenticated`, unless the user is anonymous or has it or `system:unauthenticated`. */
export function asAuthenticated(user: UserInfo): UserInfo {
  if (user.name === "system:anonymous") return user;
  if (user.groups.some((group) => group === "system:authenticated" || group === "system:unauthenticated")) return user;
  return { ...user, groups: [...user.groups, "system:authenticated"] };
}
