import type { JwtAuthenticatorConfiguration } from "./jwt-configuration.ts";

/** What the `--oidc-*` flags say; they came before configuration files, and say less. */
export interface OidcOptions {
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly usernameClaim: string;
  /** `-` for none; empty for the issuer's address, except before email addresses. */
  readonly usernamePrefix: string;
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
  /** `claim=value` each. */
  readonly requiredClaims: readonly string[];
  /** PEM; empty for what the machine trusts. */
  readonly certificateAuthority: string;
  readonly signingAlgorithms: readonly string[];
}

/** The same as a configuration file would say it. */
export function authenticatorOfOptions(options: OidcOptions): JwtAuthenticatorConfiguration {
  const { issuerUrl, clientId, usernameClaim, usernamePrefix, groupsClaim, groupsPrefix } = options;
  const ownPrefix = usernameClaim === "email" ? "" : `${issuerUrl}#`;
  return {
    issuer: { url: issuerUrl, audiences: [clientId], certificateAuthority: options.certificateAuthority },
    claimMappings: {
      username: { claim: usernameClaim, prefix: usernamePrefix === "-" ? "" : usernamePrefix || ownPrefix },
      ...(groupsClaim !== "" && { groups: { claim: groupsClaim, prefix: groupsPrefix } }),
    },
    claimValidationRules: options.requiredClaims.map((pair) => {
      const equals = pair.indexOf("=");
      return { claim: pair.slice(0, equals), requiredValue: pair.slice(equals + 1) };
    }),
  };
}
