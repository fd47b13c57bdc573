import { CredentialsError } from "../../contract/authentication.ts";
import type { VerificationKey } from "./service-account-keys.ts";

/** Whether a token is signed and claims one of these issuers; others are left to other authenticators. The signature is not verified. */
export function claimsIssuer(token: string, issuers: readonly string[]): boolean {
  const [header, payload, , more] = token.split(".", 4);
  if (more !== undefined || readPart(header) === undefined) return false;
  // Tokens are untrusted input: the issuer may be any value, even one that cannot be converted to a string.
  const issuer = readPart(payload)?.iss;
  return typeof issuer === "string" && issuers.includes(issuer);
}

/** Decodes a part of a token before its signature is verified. */
function readPart(part = ""): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the claims of a token signed by the key that it names, or by any of the keys if it names none. Throws a CredentialsError otherwise. */
export async function verifyToken(
  token: string,
  keys: readonly VerificationKey[],
): Promise<Readonly<Record<string, unknown>>> {
  // Loaded for the first token: most servers start long before they receive one.
  const { compactVerify } = await import("jose");
  const kid = readPart(token.split(".", 1)[0])?.kid;
  const candidates = keys.filter((key) => !kid || key.id === kid);
  if (candidates.length === 0) throw new CredentialsError("invalid signature, no keys found");
  for (const { key, algorithm } of candidates)
    try {
      const { payload } = await compactVerify(token, key, { algorithms: [algorithm] });
      return JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>;
    } catch {
      // The next key may match.
    }
  throw new CredentialsError("go-jose/go-jose: error in cryptographic primitive");
}
