/** An object that a token is bound to: the token becomes invalid when the object is deleted. */
export interface ObjectClaim {
  readonly name: string;
  readonly uid?: string;
}

/** The claim of a service account token under the vendor's name (`kubernetes.io`). */
export interface BoundClaims {
  readonly namespace: string;
  readonly serviceaccount: ObjectClaim;
  readonly pod?: ObjectClaim;
  readonly secret?: ObjectClaim;
  readonly node?: ObjectClaim;
  /** Seconds of the Unix epoch after which use of the token is warned about. */
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
