import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { type Always, configKind, type OmitZero, type Open } from "../../vocabulary.ts";

/** Whose tokens are believed, and what they say about users. */
export interface AuthenticationConfiguration extends TypeMeta {
  jwt: JWTAuthenticator[];
  anonymous?: AnonymousAuthConfig;
}

export interface JWTAuthenticator {
  issuer: Issuer;
  claimValidationRules?: ClaimValidationRule[];
  claimMappings: ClaimMappings;
  userValidationRules?: UserValidationRule[];
}

export interface Issuer {
  url: string;
  discoveryURL?: string;
  certificateAuthority?: string & OmitZero;
  audiences: string[];
  audienceMatchPolicy?: AudienceMatchPolicyType & OmitZero;
}

export type AudienceMatchPolicyType = Open<"MatchAny">;

export interface ClaimValidationRule {
  claim?: string & OmitZero;
  requiredValue?: string & OmitZero;
  expression?: string & OmitZero;
  message?: string & OmitZero;
}

export interface ClaimMappings {
  username: PrefixedClaimOrExpression;
  groups?: PrefixedClaimOrExpression & Always;
  uid?: ClaimOrExpression & Always;
  extra?: ExtraMapping[];
}

export interface PrefixedClaimOrExpression {
  claim?: string & OmitZero;
  prefix?: string;
  expression?: string & OmitZero;
}

export interface ClaimOrExpression {
  claim?: string & OmitZero;
  expression?: string & OmitZero;
}

export interface ExtraMapping {
  key: string;
  valueExpression: string;
}

export interface UserValidationRule {
  expression: string;
  message?: string & OmitZero;
}

export interface AnonymousAuthConfig {
  enabled: boolean;
  conditions?: AnonymousAuthCondition[];
}

export interface AnonymousAuthCondition {
  path: string;
}

export const authenticationConfiguration = configKind<AuthenticationConfiguration>({
  group: "apiserver.config.<domain>",
  aliases: ["apiserver.<domain>/v1alpha1 AuthenticationConfiguration"],
});
