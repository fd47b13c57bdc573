import type { TokenAuthenticator } from "../../contract/authentication.ts";
import type { AuthenticationConfig } from "./authentication-config.ts";

/** Returns the audiences of this server, for which it accepts tokens. */
export function serverAudiences({ apiAudiences, serviceAccounts }: AuthenticationConfig): readonly string[] {
  return apiAudiences.length > 0 ? apiAudiences : serviceAccounts.issuers;
}

/** Returns the audiences in both lists, in the order of `wanted`. */
export function commonAudiences(given: readonly string[], wanted: readonly string[]): readonly string[] {
  const valid = new Set(given);
  return wanted.filter((audience) => valid.has(audience));
}

/** Wraps an authenticator of tokens without audiences: they are valid only for the audiences of this server. */
export function goodForServer(inner: TokenAuthenticator, own: readonly string[]): TokenAuthenticator {
  return {
    async authenticateToken(token, wanted) {
      const audiences = wanted.length === 0 ? own : commonAudiences(own, wanted);
      if (wanted.length > 0 && audiences.length === 0) return undefined;
      const result = await inner.authenticateToken(token, wanted);
      return result && { ...result, audiences };
    },
  };
}
