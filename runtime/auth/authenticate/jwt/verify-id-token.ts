import { CredentialsError } from "../../../contract/authentication.ts";
import { parseJson } from "../../../encoding/json/parse-json.ts";
import { goQuote, goQuoteList } from "../../../go/quote.ts";
import { goTime } from "../../../go/time.ts";
import type { IssuerKeys } from "./issuer-keys.ts";

const NOT_BEFORE_LEEWAY_MS = 60_000;
const GOOGLE = "https://accounts.google.com";

export type Claims = Readonly<Record<string, unknown>>;

export interface Expectation {
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly algorithms: readonly string[];
  readonly now: Date;
}

/** The issuer in a token before its signature is verified; undefined if it is not a signed token. */
export function claimedIssuer(token: string): string | undefined {
  const parts = token.split(".", 4);
  const claims = readPart(parts.length === 3 ? parts[1] : undefined);
  return claims === undefined ? undefined : issuerOf(claims);
}

/** Google omitted the scheme in the past. */
function issuerOf({ iss }: Claims): string {
  return iss === "accounts.google.com" ? GOOGLE : typeof iss === "string" ? iss : "";
}

/**
 * The claims of a token that the issuer signed for one of the audiences and that is valid now. Throws a CredentialsError. Cheap
 * checks come before the key is fetched.
 */
export async function verifyIdToken(token: string, keys: IssuerKeys, expected: Expectation): Promise<Claims> {
  const [header, payload] = token.split(".", 2).map((part) => readPart(part));
  if (header === undefined || payload === undefined) throw refused("oidc: malformed jwt");
  if (issuerOf(payload) !== expected.issuer)
    throw refused(
      `oidc: id token issued by a different provider, expected ${goQuote(expected.issuer)} got ${goQuote(issuerOf(payload))}`,
    );
  checkAudience(payload, expected.audiences);
  checkTimes(payload, expected.now);
  const algorithm = typeof header.alg === "string" ? header.alg : "";
  if (!expected.algorithms.includes(algorithm))
    throw refused(
      `oidc: id token signed with unsupported algorithm, expected ${goQuoteList(expected.algorithms)} got ${goQuote(algorithm)}`,
    );
  await checkSignature(token, keys, algorithm);
  return payload;
}

function checkAudience({ aud }: Claims, wanted: readonly string[]): void {
  const claimed: unknown[] = Array.isArray(aud) ? aud : aud === undefined || aud === null ? [] : [aud];
  if (!claimed.every((audience) => typeof audience === "string"))
    throw refused("oidc: failed to unmarshal claims: an audience is a string or a list of strings");
  if (claimed.some((audience) => wanted.includes(audience))) return;
  const [only = ""] = wanted;
  const expected = wanted.length === 1 ? goQuote(only) : `in ${goQuoteList([...wanted].sort())}`;
  throw refused(`oidc: expected audience ${expected} got ${goQuoteList(claimed)}`);
}

function checkTimes({ exp, nbf }: Claims, now: Date): void {
  for (const time of [exp, nbf])
    if (time !== undefined && !(["number", "string"].includes(typeof time) && Number.isFinite(Number(time))))
      throw refused("oidc: failed to unmarshal claims: times are numbers");
  const expiry = exp === undefined ? undefined : Number(exp) * 1000;
  if (expiry === undefined || expiry < now.getTime())
    throw refused(`oidc: token is expired (Token Expiry: ${goSeconds(expiry)})`);
  if (nbf !== undefined && now.getTime() + NOT_BEFORE_LEEWAY_MS < Number(nbf) * 1000)
    throw refused(
      `oidc: current time ${goSeconds(now.getTime())} before the nbf (not before) time: ${goSeconds(Number(nbf) * 1000)}`,
    );
}

/** A time as Go prints it; the zero time for none. */
function goSeconds(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return goTime();
  const date = new Date(Math.trunc(milliseconds / 1000) * 1000);
  return Number.isNaN(date.getTime()) ? "?" : goTime(date.toISOString());
}

async function checkSignature(token: string, issuerKeys: IssuerKeys, algorithm: string): Promise<void> {
  const { compactVerify, errors } = await import("jose");
  const options = { algorithms: [algorithm] };
  try {
    const keys = await issuerKeys.find();
    try {
      await compactVerify(token, keys, options);
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      // The token does not name its key: any of the issuer's keys may match.
      for await (const key of error) {
        const fits = await compactVerify(token, key, options).then(
          () => true,
          () => false,
        );
        if (fits) return;
      }
      throw refused("failed to verify id token signature");
    }
  } catch (error) {
    if (error instanceof CredentialsError) throw error;
    if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey)
      throw refused("failed to verify signature: failed to verify id token signature");
    throw refused(`failed to verify signature: fetching keys ${(error as Error).message}`);
  }
}

function readPart(part = ""): Claims | undefined {
  try {
    const { value } = parseJson(Buffer.from(part, "base64url"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Claims) : undefined;
  } catch {
    return undefined;
  }
}

function refused(problem: string): CredentialsError {
  return new CredentialsError(`oidc: verify token: ${problem}`);
}
