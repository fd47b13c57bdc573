import { createHmac, randomBytes } from "node:crypto";
import type { AuthenticationResult, TokenAuthenticator } from "../../contract/authentication.ts";
import { ExpiringCache } from "../../lib/expiring-cache.ts";

const LIFE_MS = 10_000;
const CAPACITY = 4096;

/**
 * Caches accepted tokens for a short time, like Kubernetes: verifying a signature for each request would dominate the cost of small requests.
 * Rejections are not cached. No token is cached beyond its expiration. Cache keys are digests of the tokens with a secret of this process.
 */
export function cacheTokens(inner: TokenAuthenticator, now: () => number, lifeMs = LIFE_MS): TokenAuthenticator {
  const secret = randomBytes(32);
  const accepted = new ExpiringCache<AuthenticationResult>(CAPACITY, { now });
  const check = async (key: string, token: string, audiences: readonly string[]) => {
    const result = await inner.authenticateToken(token, audiences);
    if (result === undefined) return undefined;
    accepted.set(key, result, Math.min(lifeMs, (result.expires ?? Number.POSITIVE_INFINITY) - now()));
    return result;
  };
  return {
    authenticateToken(token, audiences) {
      const digest = createHmac("sha256", secret).update(JSON.stringify([token, ...audiences]));
      const key = digest.digest("base64");
      return accepted.get(key) ?? check(key, token, audiences);
    },
  };
}
