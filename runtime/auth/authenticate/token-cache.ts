import { createHmac, randomBytes } from "node:crypto";
import type { AuthenticationResult, TokenAuthenticator } from "../../contract/authentication.ts";

/**
 * Caches accepted tokens for a short time, as Kubernetes does: checking a signature on each request would dominate small requests.
 * Refusals are not cached, and no token beyond its expiration. Keys are digests of the tokens under a secret of this process.
 */
export class TokenCache implements TokenAuthenticator {
  readonly #inner: TokenAuthenticator;
  readonly #now: () => Date;
  readonly #lifeMs: number;
  readonly #capacity: number;
  readonly #secret = randomBytes(32);
  readonly #entries = new Map<string, { readonly result: AuthenticationResult; readonly until: number }>();

  constructor(
    inner: TokenAuthenticator,
    options: { readonly now: () => Date; readonly lifeMs?: number; readonly capacity?: number },
  ) {
    this.#inner = inner;
    this.#now = options.now;
    this.#lifeMs = options.lifeMs ?? 10_000;
    this.#capacity = options.capacity ?? 4096;
  }

  authenticateToken(
    token: string,
    audiences: readonly string[],
  ): AuthenticationResult | Promise<AuthenticationResult | undefined> {
    const key = createHmac("sha256", this.#secret)
      .update(JSON.stringify([token, ...audiences]))
      .digest("base64");
    const known = this.#entries.get(key);
    if (known !== undefined && known.until > this.#now().getTime()) return known.result;
    if (known !== undefined) this.#entries.delete(key);
    return this.#check(key, token, audiences);
  }

  async #check(key: string, token: string, audiences: readonly string[]) {
    const result = await this.#inner.authenticateToken(token, audiences);
    if (result === undefined) return undefined;
    const until = Math.min(this.#now().getTime() + this.#lifeMs, result.expires ?? Number.POSITIVE_INFINITY);
    this.#entries.set(key, { result, until });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#capacity && oldest !== undefined) this.#entries.delete(oldest);
    return result;
  }
}
