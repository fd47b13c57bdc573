import { CredentialsError } from "../../../contract/authentication.ts";
import { goQuote } from "../../../go/quote.ts";
import type { Clock } from "../../../lib/clock.ts";
import { exchange } from "../../../outbound/exchange.ts";
import { IssuerKeys, trustedAuthorities } from "./issuer-keys.ts";
import type { IssuerConfiguration } from "./jwt-configuration.ts";
import { type Claims, claimedIssuer, verifyIdToken } from "./verify-id-token.ts";

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;
/** Maximum number of issuers of distributed claims whose keys are cached; real tokens name one or two. */
const MAX_ISSUERS = 16;

export interface DistributedClaimsParts {
  /** The claim that may be distributed: the groups claim. */
  readonly claim: string;
  readonly issuer: IssuerConfiguration;
  readonly algorithms: readonly string[];
  readonly clock: Clock;
}

/**
 * Resolves a distributed claim as defined by OpenID Connect: a token for a user with many groups contains an endpoint instead of the groups, and the
 * endpoint returns a signed token that contains them.
 */
export class DistributedClaims {
  readonly #parts: DistributedClaimsParts;
  readonly #keys = new Map<string, IssuerKeys>();

  constructor(parts: DistributedClaimsParts) {
    this.#parts = parts;
  }

  /** Returns the claims of a verified token, including the distributed claim. Throws a CredentialsError if it cannot be resolved. */
  async expand(claims: Claims): Promise<Claims> {
    const { claim } = this.#parts;
    if (Object.hasOwn(claims, claim) || claims._claim_names === undefined) return claims;
    const names = objectOf(claims._claim_names, "oidc: error parsing distributed claim names");
    if (claims._claim_sources === undefined) throw failed("oidc: no claim sources");
    const sources = objectOf(claims._claim_sources, "oidc: could not parse claim sources");
    const source = Object.hasOwn(names, claim) ? names[claim] : undefined;
    if (typeof source !== "string") return claims;
    if (!Object.hasOwn(sources, source)) {
      throw failed(`id token _claim_names contained a source ${source} missing in _claims_sources`);
    }
    const { endpoint, access_token: token } = objectOf(sources[source], "oidc: could not parse claim sources");
    // Without an endpoint it is an aggregated claim, which is not supported.
    if (typeof endpoint !== "string" || endpoint === "") return claims;
    const resolved = await this.#resolve(endpoint, typeof token === "string" ? token : "");
    if (!Object.hasOwn(resolved, claim)) {
      throw failed(`jwt returned by distributed claim endpoint ${goQuote(endpoint)} did not contain claim: ${claim}`);
    }
    return { ...claims, [claim]: resolved[claim] };
  }

  async #resolve(endpoint: string, accessToken: string): Promise<Claims> {
    const { issuer, algorithms, clock } = this.#parts;
    const jwt = await this.#fetch(endpoint, accessToken);
    const url = claimedIssuer(jwt);
    if (url === undefined) throw failed(`getting untrusted issuer from endpoint ${endpoint} failed`);
    const audiences = issuer.audiences ?? [];
    return verifyIdToken(jwt, this.#keysOf(url), { issuer: url, audiences, algorithms, now: new Date(clock.now()) });
  }

  async #fetch(endpoint: string, accessToken: string): Promise<string> {
    const { claim, issuer } = this.#parts;
    const fail = (problem: string) => failed(`while getting distributed claim ${goQuote(claim)}: ${problem}`);
    if (!/^https:/i.test(endpoint) || !URL.canParse(endpoint)) throw fail("the endpoint is not an https URL");
    const ca = trustedAuthorities(issuer);
    const answer = await exchange({
      url: new URL(endpoint),
      method: "GET",
      headers: accessToken === "" ? {} : { Authorization: `Bearer ${accessToken}` },
      ...(ca !== undefined && { tls: { ca } }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    }).catch((error: Error) => {
      throw fail(error.message);
    });
    if (answer.status !== 200) throw fail(`error while getting distributed claim JWT: ${answer.statusText}`);
    return answer.body.toString("utf8").trim();
  }

  #keysOf(url: string): IssuerKeys {
    const { issuer, clock } = this.#parts;
    let keys = this.#keys.get(url);
    if (keys === undefined) {
      const { certificateAuthority = "", audiences } = issuer;
      keys = new IssuerKeys({ url, certificateAuthority, audiences }, clock);
      this.#keys.set(url, keys);
      const [oldest] = this.#keys.keys();
      if (this.#keys.size > MAX_ISSUERS && oldest !== undefined) this.#keys.delete(oldest);
    }
    return keys;
  }
}

function objectOf(value: unknown, problem: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw failed(problem);
  return value as Record<string, unknown>;
}

function failed(problem: string): CredentialsError {
  return new CredentialsError(`oidc: could not expand distributed claims: ${problem}`);
}
