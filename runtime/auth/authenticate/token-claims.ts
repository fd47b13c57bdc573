/** An object a token names: tokens die with the objects they are bound to. */
export interface ObjectClaim {
  readonly name: string;
  readonly uid?: string;
}

/** What a service account token says under the vendor's claim (`kubernetes.io`). */
export interface BoundClaims {
  readonly namespace: string;
  readonly serviceaccount: ObjectClaim;
  readonly pod?: ObjectClaim;
  readonly secret?: ObjectClaim;
  readonly node?: ObjectClaim;
  /** Seconds of the Unix epoch after which use of the token deserves a warning. */
  readonly warnafter?: number;
}

export interface TokenClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly nbf: number;
  readonly jti: string;
}
