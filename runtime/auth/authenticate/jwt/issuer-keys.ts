import { getCACertificates } from "node:tls";
import type { RemoteJWKSet } from "jose";
import { goQuote } from "../../../go/quote.ts";
import { type Clock, steadyClock } from "../../../lib/clock.ts";
import { type ExchangeAnswer, exchange } from "../../../outbound/exchange.ts";
import type { IssuerConfiguration } from "./jwt-configuration.ts";

const WELL_KNOWN = "/.well-known/openid-configuration";
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;
/** Time before the next request to an issuer that could not be reached, or did not have a key. */
const COOLDOWN_MS = 10_000;

/** An issuer's keys cannot be fetched; the message says why. */
export class IssuerKeysError extends Error {
  readonly code = "issuer-keys";
}

/**
 * The public keys of an issuer, fetched through OpenID discovery for the first token. They are fetched again when a token names an
 * unknown key; while the issuer cannot be reached, the cached keys are used, as in Kubernetes.
 */
export class IssuerKeys {
  readonly #issuer: IssuerConfiguration;
  readonly #clock: Clock;
  #keys: RemoteJWKSet | undefined;
  #discovering: Promise<RemoteJWKSet> | undefined;
  #failure: { readonly error: Error; readonly until: number } | undefined;

  constructor(issuer: IssuerConfiguration, clock: Clock) {
    this.#issuer = issuer;
    this.#clock = steadyClock(clock);
  }

  /** Finds the issuer's keys, once. */
  async find(): Promise<RemoteJWKSet> {
    if (this.#keys !== undefined) return this.#keys;
    this.#discovering ??= this.#discover().finally(() => {
      this.#discovering = undefined;
    });
    try {
      this.#keys = await this.#discovering;
      return this.#keys;
    } catch (error) {
      throw this.#remember(error as Error);
    }
  }

  async #discover(): Promise<RemoteJWKSet> {
    const { url, discoveryURL } = this.#issuer;
    const { status, statusText, body } = await this.#get(discoveryURL || `${url.replace(/\/$/, "")}${WELL_KNOWN}`);
    if (status !== 200) throw new IssuerKeysError(`discovery: ${statusText}`);
    const { issuer, jwks_uri: address } = readDocument(body);
    if (issuer !== url)
      throw new IssuerKeysError(
        `oidc: issuer did not match the issuer returned by provider, expected ${goQuote(url)} got ${goQuote(String(issuer))}`,
      );
    if (typeof address !== "string" || !/^https:/i.test(address) || !URL.canParse(address))
      throw new IssuerKeysError("oidc: the provider names no https address of its keys");
    // Loaded with the first token: most servers start long before they see one.
    const { createRemoteJWKSet, customFetch } = await import("jose");
    return createRemoteJWKSet(new URL(address), {
      timeoutDuration: TIMEOUT_MS,
      cooldownDuration: COOLDOWN_MS,
      cacheMaxAge: Number.POSITIVE_INFINITY,
      [customFetch]: async (target: string) => {
        const { status: code, body: keys } = await this.#get(target);
        return new Response(new Uint8Array(keys), { status: code });
      },
    });
  }

  /** Sends a request to the issuer, unless the last one failed recently: invalid tokens must not cause many requests. */
  async #get(target: string): Promise<ExchangeAnswer> {
    if (this.#failure !== undefined && this.#clock.now() < this.#failure.until) throw this.#failure.error;
    const ca = trustedAuthorities(this.#issuer);
    try {
      return await exchange({
        url: new URL(target),
        method: "GET",
        headers: { Accept: "application/json" },
        ...(ca !== undefined && { tls: { ca } }),
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
      });
    } catch (error) {
      throw this.#remember(error as Error);
    }
  }

  #remember(error: Error): Error {
    if (error === this.#failure?.error) return error;
    this.#failure = { error, until: this.#clock.now() + COOLDOWN_MS };
    return error;
  }
}

function readDocument(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const document: unknown = JSON.parse(body.toString("utf8"));
    if (typeof document === "object" && document !== null) return document as Record<string, unknown>;
  } catch {
    // The error is thrown below.
  }
  throw new IssuerKeysError("oidc: failed to decode provider discovery object");
}

/** The CA certificates that are trusted for an issuer: those of its configuration, else those of the system; undefined means those of the runtime. */
export function trustedAuthorities({
  certificateAuthority,
}: IssuerConfiguration): string | readonly string[] | undefined {
  if (certificateAuthority) return certificateAuthority;
  const found = getCACertificates("system");
  return found.length > 0 ? found : undefined;
}
