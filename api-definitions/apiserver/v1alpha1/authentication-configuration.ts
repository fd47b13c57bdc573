import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { type Always, configKind, type OmitZero, type Open } from "../../vocabulary.ts";

/**
 * Authentication by JSON Web Tokens (JWT) and anonymous access, read from the file named by `--authentication-config`.
 * Use it instead of the `--oidc-*` flags, for several issuers and for mappings in CEL. The server reloads the file when
 * it changes.
 */
export interface AuthenticationConfiguration extends TypeMeta {
  /**
   * Authenticators for tokens of external issuers, at most 64. Each must have an issuer URL of its own. A token is
   * checked by the authenticator whose issuer it names.
   */
  jwt: JWTAuthenticator[];
  /**
   * Anonymous access: requests without credentials. Excludes the flag `--anonymous-auth`, which applies if it is unset.
   * Cannot be changed without a restart of the server.
   */
  anonymous?: AnonymousAuthConfig;
}

/** Issuer of tokens, and how its tokens are validated and mapped to users. */
export interface JWTAuthenticator {
  /** Issuer whose tokens are accepted, and the audiences they must be for. */
  issuer: Issuer;
  /** Rules on the claims of a token. A token that breaks one of them is rejected. */
  claimValidationRules?: ClaimValidationRule[];
  /** How the claims of a token become name, groups, UID and extra fields of the user. */
  claimMappings: ClaimMappings;
  /** Rules on the user that the mappings result in. A token whose user breaks one of them is rejected. */
  userValidationRules?: UserValidationRule[];
}

/** OpenID Connect issuer of tokens. */
export interface Issuer {
  /**
   * URL of the issuer, exactly as in the claim `iss` of its tokens. `https` only, without user, query and fragment;
   * unique in the file, and not the issuer of this server's service account tokens. The keys are found by
   * `/.well-known/openid-configuration` below it, unless `discoveryURL` is set.
   */
  url: string;
  /**
   * Complete URL of the OpenID discovery document, if it is not below `url`, such as for an issuer that is reached by
   * another host name inside the cluster. `https` only, different from `url`, and unique in the file. The document must
   * name `url` as its issuer.
   */
  discoveryURL?: string;
  /**
   * PEM-encoded CA certificates that verify the certificate of the issuer. Defaults to the system's CA certificates.
   */
  certificateAuthority?: string & OmitZero;
  /**
   * Accepted audiences: the claim `aud` of a token must contain at least one of them. At least one is required; entries
   * must be unique and not empty.
   */
  audiences: string[];
  /**
   * How `audiences` are compared with the claim `aud`. Must be `MatchAny` if there are several audiences; may be empty
   * for a single one.
   */
  audienceMatchPolicy?: AudienceMatchPolicyType & OmitZero;
}

export type AudienceMatchPolicyType = Open<
  /** At least one entry of `audiences` must be in the claim `aud`. */
  "MatchAny"
>;

/**
 * Rule on the claims of a token: a claim with a required value, or a CEL expression. Exactly one of `claim` and
 * `expression` must be set.
 */
export interface ClaimValidationRule {
  /**
   * Name of a claim that must be a string equal to `requiredValue`. Excludes `expression` and `message`; each claim may
   * be used in one rule.
   */
  claim?: string & OmitZero;
  /** Value that the claim in `claim` must have. Excludes `expression`. Defaults to an empty string. */
  requiredValue?: string & OmitZero;
  /**
   * CEL expression that must return `true`. `claims` is a map of the claims, such as `claims.exp - claims.nbf <=
   * 86400`. Excludes `claim` and `requiredValue`.
   */
  expression?: string & OmitZero;
  /** Message of the error in the log of the server if `expression` is not true. Excludes `claim`. */
  message?: string & OmitZero;
}

/** How the claims of a token are mapped to a user. */
export interface ClaimMappings {
  /**
   * Name of the user. Required, and the result must not be empty. If the claim is `email`, `email_verified` must be
   * true where the token has it; an expression that uses `claims.email` must be accompanied by one that checks
   * `claims.email_verified`.
   */
  username: PrefixedClaimOrExpression;
  /** Groups of the user: a string or a list of strings. No groups if unset, or if the token does not have the claim. */
  groups?: PrefixedClaimOrExpression & Always;
  /** UID of the user, as a string. No UID if unset. */
  uid?: ClaimOrExpression & Always;
  /** Extra fields of the user, which authorizers and admission can use. Keys must be unique. */
  extra?: ExtraMapping[];
}

/** Claim with a prefix, or a CEL expression. At most one of `claim` and `expression` may be set. */
export interface PrefixedClaimOrExpression {
  /** Name of the claim whose value is used, such as `sub`. Needs `prefix`; excludes `expression`. */
  claim?: string & OmitZero;
  /**
   * Prefix that is put before the value of the claim, such as `oidc:`, so that names of different issuers cannot
   * collide. Required with `claim`; an empty string means no prefix. Excludes `expression`.
   */
  prefix?: string;
  /**
   * CEL expression that returns the value: a string, for groups also a list of strings. `claims` is a map of the
   * claims. Excludes `claim` and `prefix`.
   */
  expression?: string & OmitZero;
}

/** Claim or CEL expression for a value. At most one of the fields may be set. */
export interface ClaimOrExpression {
  /** Name of the claim whose value is used. Tokens without it are rejected. Excludes `expression`. */
  claim?: string & OmitZero;
  /** CEL expression that returns the value as a string. `claims` is a map of the claims. Excludes `claim`. */
  expression?: string & OmitZero;
}

/** Extra field of the user and how it is computed. */
export interface ExtraMapping {
  /**
   * Key of the field: a lowercase path prefixed by a domain, such as `example.com/team`. The domains `k8s.io` and
   * `kubernetes.io` are reserved. Must be unique.
   */
  key: string;
  /**
   * CEL expression that returns the value: a string or a list of strings. `claims` is a map of the claims. The field is
   * left out if the result is empty or null.
   */
  valueExpression: string;
}

/** Rule on the user that a token is mapped to. */
export interface UserValidationRule {
  /**
   * CEL expression that must return `true`. `user` has the fields `username`, `uid`, `groups` and `extra`, such as in
   * `!user.username.startsWith('system:')`. Each expression may be used in one rule.
   */
  expression: string;
  /** Message of the error in the log of the server if `expression` is not true. */
  message?: string & OmitZero;
}

/** Access of requests without credentials. */
export interface AnonymousAuthConfig {
  /**
   * Whether requests without credentials are accepted as user `system:anonymous` in group `system:unauthenticated`, and
   * then authorized. Otherwise they are rejected with 401.
   */
  enabled: boolean;
  /**
   * Conditions of which a request must meet at least one to be anonymous. Needs `enabled` to be `true`. Empty means
   * that every request may be anonymous.
   */
  conditions?: AnonymousAuthCondition[];
}

/** Condition under which a request may be anonymous. */
export interface AnonymousAuthCondition {
  /** Exact path of the request, such as `/healthz`. */
  path: string;
}

export const authenticationConfiguration = configKind<AuthenticationConfiguration>({
  group: "apiserver.config.<domain>",
  aliases: ["apiserver.<domain>/v1alpha1 AuthenticationConfiguration"],
});
