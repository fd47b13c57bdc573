import type { TokenAuthenticator } from "../../contract/authentication.ts";

/** Audiences that are both given and wanted, in the order in which they are wanted. */
export function commonAudiences(given: readonly string[], wanted: readonly string[]): readonly string[] {
  return wanted.filter((audience) => given.includes(audience));
}

/** For tokens that say nothing of audiences: they are good for those of the server, and for nobody else. */
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
