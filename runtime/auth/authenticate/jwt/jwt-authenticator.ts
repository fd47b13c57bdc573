import type { AuthenticationResult, TokenAuthenticator } from "../../../contract/authentication.ts";
import { goQuote } from "../../../go/quote.ts";
import type { Clock } from "../../../lib/clock.ts";
import { withSource } from "../join-refusals.ts";
import { commonAudiences } from "../server-audiences.ts";
import type { CheckedAuthenticator } from "./check-authentication.ts";
import { DistributedClaims } from "./distributed-claims.ts";
import { IssuerKeys } from "./issuer-keys.ts";
import { mapClaims } from "./map-claims.ts";
import { claimedIssuer, verifyIdToken } from "./verify-id-token.ts";

export interface JwtAuthenticatorOptions {
  readonly algorithms: readonly string[];
  /** Audiences of this server. An accepted token has these, whatever audiences it contains. */
  readonly serverAudiences: readonly string[];
  /** Key of the token id in the user's extras. */
  readonly credentialIdKey: string;
  readonly clock: Clock;
}

/** Authenticates the tokens of one issuer. The issuer's keys are fetched for the first token, not at the start. */
export class JwtAuthenticator implements TokenAuthenticator {
  readonly #authenticator: CheckedAuthenticator;
  readonly #options: JwtAuthenticatorOptions;
  readonly #keys: IssuerKeys;
  readonly #distributed: DistributedClaims | undefined;

  constructor(authenticator: CheckedAuthenticator, options: JwtAuthenticatorOptions) {
    this.#authenticator = authenticator;
    this.#options = options;
    const { issuer, claimMappings } = authenticator.configuration;
    this.#keys = new IssuerKeys(issuer, options.clock);
    const claim = claimMappings.groups?.claim ?? "";
    const { algorithms, clock } = options;
    this.#distributed = claim === "" ? undefined : new DistributedClaims({ claim, issuer, algorithms, clock });
  }

  async authenticateToken(token: string, wanted: readonly string[]): Promise<AuthenticationResult | undefined> {
    const { issuer } = this.#authenticator.configuration;
    if (claimedIssuer(token) !== issuer.url) return undefined;
    const { serverAudiences } = this.#options;
    const audiences = wanted.length === 0 ? serverAudiences : commonAudiences(serverAudiences, wanted);
    if (audiences.length === 0) return undefined;
    return withSource(`issuer ${goQuote(issuer.url)}`, () => this.#authenticate(token, audiences));
  }

  async #authenticate(token: string, audiences: readonly string[]): Promise<AuthenticationResult> {
    const { issuer } = this.#authenticator.configuration;
    const { algorithms, credentialIdKey, clock } = this.#options;
    const verified = await verifyIdToken(token, this.#keys, {
      issuer: issuer.url,
      audiences: issuer.audiences ?? [],
      algorithms,
      now: new Date(clock.now()),
    });
    const claims = (await this.#distributed?.expand(verified)) ?? verified;
    const user = mapClaims(claims, this.#authenticator, credentialIdKey);
    return { user, audiences, expires: Number(claims.exp) * 1000 };
  }
}
