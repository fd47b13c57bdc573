/**
 * The contents of an AuthenticationConfiguration in any version, as all have the same fields. The loader sets absent lists to `null`, and absent
 * strings to `""`.
 */
export interface AuthenticationConfiguration {
  readonly jwt: readonly JwtAuthenticatorConfiguration[] | null;
  readonly anonymous?: AnonymousConfiguration;
}

export interface AnonymousConfiguration {
  readonly enabled: boolean;
  readonly conditions?: readonly { readonly path: string }[] | null;
}

export interface JwtAuthenticatorConfiguration {
  readonly issuer: IssuerConfiguration;
  readonly claimValidationRules?: readonly ClaimValidationRule[] | null;
  readonly claimMappings: ClaimMappings;
  readonly userValidationRules?: readonly UserValidationRule[] | null;
}

export interface IssuerConfiguration {
  readonly url: string;
  readonly discoveryURL?: string;
  readonly certificateAuthority?: string;
  readonly audiences: readonly string[] | null;
  readonly audienceMatchPolicy?: string;
}

export interface ClaimValidationRule {
  readonly claim?: string;
  readonly requiredValue?: string;
  readonly expression?: string;
  readonly message?: string;
}

export interface UserValidationRule {
  readonly expression: string;
  readonly message?: string;
}

export interface ClaimMappings {
  readonly username: PrefixedClaimOrExpression;
  readonly groups?: PrefixedClaimOrExpression;
  readonly uid?: ClaimOrExpression;
  readonly extra?: readonly ExtraMapping[] | null;
}

export interface ClaimOrExpression {
  readonly claim?: string;
  readonly expression?: string;
}

export interface PrefixedClaimOrExpression extends ClaimOrExpression {
  readonly prefix?: string;
}

export interface ExtraMapping {
  readonly key: string;
  readonly valueExpression: string;
}
