import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { type Always, configKind, type OmitZero, type Open } from "../../vocabulary.ts";

/** Whose tokens are believed, and what they say about users. */
export interface AuthenticationConfiguration extends TypeMeta {
  /** Issuers of tokens. */
  jwt: JWTAuthenticator[];
  /** Requests without credentials. */
  anonymous?: AnonymousAuthConfig;
}

/** An issuer of tokens, and what its tokens say. */
export interface JWTAuthenticator {
  /** The issuer. */
  issuer: Issuer;
  /** What tokens must say. */
  claimValidationRules?: ClaimValidationRule[];
  /** What tokens say about the user. */
  claimMappings: ClaimMappings;
  /** What must be true of the user. */
  userValidationRules?: UserValidationRule[];
}

/** Who issues tokens. */
export interface Issuer {
  /** Its address, as tokens name it. */
  url: string;
  /** Where its keys are found, if not below its address. */
  discoveryURL?: string;
  /** Certificates to trust, in PEM. */
  certificateAuthority?: string & OmitZero;
  /** Tokens must be meant for one of these. */
  audiences: string[];
  /** How audiences are compared. */
  audienceMatchPolicy?: AudienceMatchPolicyType & OmitZero;
}

export type AudienceMatchPolicyType = Open<"MatchAny">;

/** Something tokens must say. */
export interface ClaimValidationRule {
  /** Name of a claim. */
  claim?: string & OmitZero;
  /** The value it must have. */
  requiredValue?: string & OmitZero;
  /** A condition over the claims, in CEL. */
  expression?: string & OmitZero;
  /** What to say when it does not hold. */
  message?: string & OmitZero;
}

/** What tokens say about the user. */
export interface ClaimMappings {
  /** The name. */
  username: PrefixedClaimOrExpression;
  /** The groups. */
  groups?: PrefixedClaimOrExpression & Always;
  /** The uid. */
  uid?: ClaimOrExpression & Always;
  /** Further facts. */
  extra?: ExtraMapping[];
}

/** A claim with a prefix, or an expression. */
export interface PrefixedClaimOrExpression {
  /** Name of the claim. */
  claim?: string & OmitZero;
  /** Text put before its value. */
  prefix?: string;
  /** The value, in CEL. */
  expression?: string & OmitZero;
}

/** A claim, or an expression. */
export interface ClaimOrExpression {
  /** Name of the claim. */
  claim?: string & OmitZero;
  /** The value, in CEL. */
  expression?: string & OmitZero;
}

/** A further fact about the user. */
export interface ExtraMapping {
  /** Its key, such as `example.com/team`. */
  key: string;
  /** Its value, in CEL. */
  valueExpression: string;
}

/** Something that must be true of the user. */
export interface UserValidationRule {
  /** A condition over the user, in CEL. */
  expression: string;
  /** What to say when it does not hold. */
  message?: string & OmitZero;
}

/** Requests without credentials. */
export interface AnonymousAuthConfig {
  /** Whether there may be any. */
  enabled: boolean;
  /** Only requests that meet one of these. */
  conditions?: AnonymousAuthCondition[];
}

/** Requests that need no credentials. */
export interface AnonymousAuthCondition {
  /** Their path. */
  path: string;
}

export const authenticationConfiguration = configKind<AuthenticationConfiguration>({
  group: "apiserver.config.<domain>",
  aliases: ["apiserver.<domain>/v1beta1 AuthenticationConfiguration"],
});
