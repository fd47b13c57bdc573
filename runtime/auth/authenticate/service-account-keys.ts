import { createHash, createPublicKey, type KeyObject } from "node:crypto";

/** A public key that verifies service account tokens. `id` is the key id in tokens. */
export interface VerificationKey {
  readonly id: string;
  readonly key: KeyObject;
  readonly algorithm: SigningAlgorithm;
}

export type SigningAlgorithm = "RS256" | "ES256" | "ES384" | "ES512";

/** The key type supports none of the signing algorithms. */
export class KeyTypeError extends Error {
  readonly code = "key-type";
}

export function verificationKey(key: KeyObject): VerificationKey {
  const publicKey = key.type === "public" ? key : createPublicKey(key);
  return { id: keyId(publicKey), key: publicKey, algorithm: signingAlgorithm(publicKey) };
}

/** Returns the digest of the public key in SPKI DER: the same key has the same id on every server. */
function keyId(publicKey: KeyObject): string {
  return createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("base64url");
}

const CURVES: Readonly<Record<string, SigningAlgorithm>> = {
  prime256v1: "ES256",
  secp384r1: "ES384",
  secp521r1: "ES512",
};

export function signingAlgorithm(key: KeyObject): SigningAlgorithm {
  if (key.asymmetricKeyType === "rsa") return "RS256";
  const algorithm = CURVES[key.asymmetricKeyDetails?.namedCurve ?? ""];
  if (algorithm === undefined)
    throw new KeyTypeError("service account keys must be RSA, or EC on P-256, P-384 or P-521");
  return algorithm;
}
