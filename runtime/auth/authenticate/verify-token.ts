import { compactVerify, decodeJwt, decodeProtectedHeader } from "jose";
import { CredentialsError } from "../../contract/authentication.ts";
import type { VerificationKey } from "./service-account-keys.ts";

/** Whether it is a signed token that claims one of these issuers; anything else is somebody else's business. */
export function claimsIssuer(token: string, issuers: readonly string[]): boolean {
  try {
    return issuers.includes(String(decodeJwt(token).iss)) && decodeProtectedHeader(token) !== undefined;
  } catch {
    return false;
  }
}

/**
 * The claims of a token that one of the keys signed: the key it names, or any if it names none. Throws a CredentialsError
 * otherwise.
 */
export async function verifyToken(
  token: string,
  keys: readonly VerificationKey[],
): Promise<Readonly<Record<string, unknown>>> {
  const { kid } = decodeProtectedHeader(token);
  const candidates = keys.filter((key) => !kid || key.id === kid);
  if (candidates.length === 0) throw new CredentialsError("invalid signature, no keys found");
  for (const { key, algorithm } of candidates)
    try {
      const { payload } = await compactVerify(token, key, { algorithms: [algorithm] });
      return JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>;
    } catch {
      // The next key may fit.
    }
  throw new CredentialsError("go-jose/go-jose: error in cryptographic primitive");
}
