import type { JWK } from "jose";
import { goQuote } from "../../../go/quote.ts";
import { type Clock, steadyClock } from "../../../lib/clock.ts";
import { systemAuthorities } from "../../../outbound/connect-tls.ts";
import { type ExchangeAnswer, exchange } from "../../../outbound/exchange.ts";
import type { IssuerConfiguration } from "./jwt-configuration.ts";

const WELL_KNOWN = "/.well-known/openid-configuration";
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;
/** Time without requests to an issuer after it could not be reached. */
const COOLDOWN_MS = 10_000;
/** Minimum interval of refetching the keys for tokens that the known keys do not verify. */
const KEYS_MS = 1000;

/** The keys of an issuer cannot be fetched; the message contains the reason. */
export class IssuerKeysError extends Error {
  readonly code = "issuer-keys";
}

/**
 * The public keys of an issuer, fetched through OpenID discovery for the first token. As in Kubernetes, they are refetched if none of them verifies a
 * token: an issuer may replace a key and reuse its id. While the issuer cannot be reached, the known keys are used.
 */
export class IssuerKeys {
  readonly #issuer: IssuerConfiguration;
  readonly #clock: Clock;
  #address: URL | undefined;
  #keys: readonly JWK[] | undefined;
  #fetchedAt = 0;
  #fetching: Promise<readonly JWK[]> | undefined;
  #failure: { readonly error: Error; readonly until: number } | undefined;

  constructor(issuer: IssuerConfiguration, clock: Clock) {
    this.#issuer = issuer;
    this.#clock = steadyClock(clock);
  }

  /** Whether a key of the issuer signed the token: the key with this id, or any key if the token names none. */
  async verify(token: string, algorithm: string, id: string): Promise<boolean> {
    const known = this.#keys;
    if (known !== undefined && (await isSignedBy(token, known, algorithm, id))) return true;
    const latest = await this.#refresh(known);
    return latest !== known && isSignedBy(token, latest, algorithm, id);
  }

  /** Returns the current keys. Refetches them if they are still `known`, but not too often: invalid tokens must not cause many requests. */
  #refresh(known: readonly JWK[] | undefined): readonly JWK[] | Promise<readonly JWK[]> {
    const keys = this.#keys;
    if (keys !== undefined && (keys !== known || this.#clock.now() < this.#fetchedAt + KEYS_MS)) return keys;
    this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetch(): Promise<readonly JWK[]> {
    try {
      this.#address ??= await this.#discover();
      const { status, statusText, body } = await this.#get(this.#address);
      if (status !== 200) throw new IssuerKeysError(`oidc: get keys failed: ${statusText}`);
      this.#keys = readKeys(body);
      this.#fetchedAt = this.#clock.now();
      return this.#keys;
    } catch (error) {
      throw this.#remember(error as Error);
    }
  }

  /** Returns the URL of the keys. */
  async #discover(): Promise<URL> {
    const { url, discoveryURL } = this.#issuer;
    const document = new URL(discoveryURL || `${url.replace(/\/$/, "")}${WELL_KNOWN}`);
    const { status, statusText, body } = await this.#get(document);
    if (status !== 200) throw new IssuerKeysError(`discovery: ${statusText}`);
    const { issuer, jwks_uri: address } = readObject(body, "oidc: failed to decode provider discovery object");
    if (issuer !== url)
      throw new IssuerKeysError(
        `oidc: issuer did not match the issuer returned by provider, expected ${goQuote(url)} got ${goQuote(String(issuer))}`,
      );
    if (typeof address !== "string" || !/^https:/i.test(address) || !URL.canParse(address))
      throw new IssuerKeysError("oidc: the provider names no https address of its keys");
    return new URL(address);
  }

  /** Sends a request to the issuer, unless a request has failed recently. */
  async #get(url: URL): Promise<ExchangeAnswer> {
    if (this.#failure !== undefined && this.#clock.now() < this.#failure.until) throw this.#failure.error;
    const ca = trustedAuthorities(this.#issuer);
    return exchange({
      url,
      method: "GET",
      headers: { Accept: "application/json" },
      ...(ca !== undefined && { tls: { ca } }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
  }

  #remember(error: Error): Error {
    if (error === this.#failure?.error) return error;
    this.#failure = { error, until: this.#clock.now() + COOLDOWN_MS };
    return error;
  }
}

async function isSignedBy(token: string, keys: readonly JWK[], algorithm: string, id: string): Promise<boolean> {
  // Loaded for the first token: most servers start long before they receive one.
  const { compactVerify } = await import("jose");
  for (const key of keys) {
    if (id !== "" && key.kid !== id) continue;
    const fits = await compactVerify(token, key, { algorithms: [algorithm] }).then(
      () => true,
      () => false,
    );
    if (fits) return true;
  }
  return false;
}

function readKeys(body: Buffer): readonly JWK[] {
  const { keys } = readObject(body, "oidc: failed to decode keys");
  if (!Array.isArray(keys)) throw new IssuerKeysError("oidc: failed to decode keys");
  return keys.filter((key): key is JWK => typeof key === "object" && key !== null);
}

function readObject(body: Buffer, problem: string): Readonly<Record<string, unknown>> {
  try {
    const document: unknown = JSON.parse(body.toString("utf8"));
    if (typeof document === "object" && document !== null) return document as Record<string, unknown>;
  } catch {
    // The error is thrown below.
  }
  throw new IssuerKeysError(problem);
}

/**
 * Returns the CA certificates that are trusted for an issuer: those of its configuration, otherwise those of the system; undefined selects those of
 * the runtime.
 */
export function trustedAuthorities({
  certificateAuthority,
}: IssuerConfiguration): string | readonly string[] | undefined {
  if (certificateAuthority) return certificateAuthority;
  const found = systemAuthorities();
  return found.length > 0 ? found : undefined;
}
