import type { VerificationKey } from "../authenticate/service-account-keys.ts";

/** Path of the JSON Web Key Set. */
export const JWKS_PATH = "/openid/v1/jwks";

/** Returns the document `/.well-known/openid-configuration`, with which other services can verify service account tokens themselves. */
export function openidConfiguration(options: {
  readonly issuer: string;
  /** `--service-account-jwks-uri`, or the URL of the key set on this server. */
  readonly jwksUri: string;
  readonly keys: readonly VerificationKey[];
}): Record<string, unknown> {
  return {
    issuer: options.issuer,
    jwks_uri: options.jwksUri,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [...new Set(options.keys.map((key) => key.algorithm))].sort(),
  };
}

/** Returns the JSON Web Key Set. */
export function jsonWebKeySet(keys: readonly VerificationKey[]): { keys: Record<string, unknown>[] } {
  return {
    keys: keys.map(({ id, key, algorithm }) => {
      const { kty, ...rest } = key.export({ format: "jwk" });
      return { use: "sig", kty, kid: id, alg: algorithm, ...rest };
    }),
  };
}
