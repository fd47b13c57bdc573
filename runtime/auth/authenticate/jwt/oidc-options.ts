import type { JwtAuthenticatorConfiguration } from "./jwt-configuration.ts";

/** The `--oidc-*` flags, which are older than configuration files and have fewer settings. */
export interface OidcOptions {
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly usernameClaim: string;
  /** `-` means no prefix. Empty means the issuer's URL, or no prefix for the claim `email`. */
  readonly usernamePrefix: string;
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
  /** Each is `claim=value`. */
  readonly requiredClaims: readonly string[];
  /** PEM; empty means the CA certificates of the system. */
  readonly certificateAuthority: string;
  readonly signingAlgorithms: readonly string[];
}

/** Converts the flags to an entry of a configuration file. */
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
