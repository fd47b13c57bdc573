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

/** Returns the unverified issuer in a token; undefined if it is not a signed token. */
export function claimedIssuer(token: string): string | undefined {
  const parts = token.split(".", 4);
  const claims = readPart(parts.length === 3 ? parts[1] : undefined);
  return claims === undefined ? undefined : issuerOf(claims);
}

/** Adds the scheme that Google's tokens omitted in the past. */
function issuerOf({ iss }: Claims): string {
  return iss === "accounts.google.com" ? GOOGLE : typeof iss === "string" ? iss : "";
}

/**
 * Returns the claims of a token that the issuer signed for one of the audiences and that is valid now, otherwise throws a CredentialsError. Cheap
 * checks come first, before keys are fetched.
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
  await checkSignature(token, keys, algorithm, header);
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

function checkTimes(claims: Claims, now: Date): void {
  const [expiry, notBefore] = [timeOf(claims, "exp"), timeOf(claims, "nbf")];
  timeOf(claims, "iat");
  if (expiry === undefined || expiry < now.getTime())
    throw refused(`oidc: token is expired (Token Expiry: ${goSeconds(expiry)})`);
  if (notBefore !== undefined && now.getTime() + NOT_BEFORE_LEEWAY_MS < notBefore)
    throw refused(
      `oidc: current time ${goSeconds(now.getTime())} before the nbf (not before) time: ${goSeconds(notBefore)}`,
    );
}

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Returns a time of a token in milliseconds. It may be a string; fractions of a second are ignored. */
function timeOf(claims: Claims, name: "exp" | "nbf" | "iat"): number | undefined {
  const value = claims[name];
  if (value === undefined || (value === null && name === "nbf")) return undefined;
  const isNumber = typeof value === "string" ? NUMBER.test(value) : ["number", "bigint"].includes(typeof value);
  const seconds = isNumber ? Number(value) : Number.NaN;
  if (!Number.isFinite(seconds)) throw refused("oidc: failed to unmarshal claims: times are numbers");
  return Math.trunc(seconds) * 1000;
}

/** Formats a time like Go; undefined is the zero time. */
function goSeconds(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return goTime();
  const date = new Date(Math.trunc(milliseconds / 1000) * 1000);
  return Number.isNaN(date.getTime()) ? "?" : goTime(date.toISOString());
}

async function checkSignature(token: string, keys: IssuerKeys, algorithm: string, header: Claims): Promise<void> {
  const failed = refused("failed to verify signature: failed to verify id token signature");
  const { kid = "", crit } = header;
  // `crit` requires support for extensions, and none is supported.
  if (typeof kid !== "string" || crit !== undefined) throw failed;
  const isSigned = await keys.verify(token, algorithm, kid).catch((error: Error) => {
    throw refused(`failed to verify signature: fetching keys ${error.message}`);
  });
  if (!isSigned) throw failed;
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
