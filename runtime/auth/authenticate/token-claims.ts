import { CredentialsError } from "../../contract/authentication.ts";

/** An object to which a token is bound: the token becomes invalid when the object is deleted. */
export interface ObjectClaim {
  readonly name: string;
  readonly uid?: string;
}

/** The private claims of a service account token, under the vendor's name (`kubernetes.io`). */
export interface BoundClaims {
  readonly namespace: string;
  readonly serviceaccount: ObjectClaim;
  readonly pod?: ObjectClaim;
  readonly secret?: ObjectClaim;
  readonly node?: ObjectClaim;
  /** Seconds since the epoch after which the use of the token causes a warning. */
  readonly warnafter?: number;
}

/** The registered claims of a token, except its issuer. */
export interface TokenClaims {
  readonly sub?: string;
  readonly aud: readonly string[];
  readonly jti?: string;
  readonly exp?: number;
  readonly iat?: number;
  readonly nbf?: number;
}

/** Returns the claims of a verified token. Null is equivalent to absent. Throws a CredentialsError for values of the wrong type. */
export function readClaims(payload: Readonly<Record<string, unknown>>): TokenClaims {
  const { aud = [] } = payload;
  const audiences = typeof aud === "string" ? [aud] : aud;
  if (!Array.isArray(audiences) || !audiences.every((audience) => typeof audience === "string"))
    throw new CredentialsError("service account token claims could not be validated: aud");
  const [sub, jti] = [typed(payload, "sub", "string"), typed(payload, "jti", "string")];
  const [exp, iat, nbf] = ["exp", "iat", "nbf"].map((name) => typed(payload, name, "number"));
  return { sub, aud: audiences, jti, exp, iat, nbf } as TokenClaims;
}

/** Returns `warnafter`. Throws like `readClaims`. */
export function readWarnAfter(bound: BoundClaims): number | undefined {
  return typed(bound, "warnafter", "number") as number | undefined;
}

function typed(claims: object, name: string, type: "string" | "number"): unknown {
  const value = (claims as Readonly<Record<string, unknown>>)[name] ?? undefined;
  if (value === undefined || typeof value === type) return value;
  throw new CredentialsError(`service account token claims could not be validated: ${name}`);
}
