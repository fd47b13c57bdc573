import type { OidcOptions } from "../auth/authenticate/jwt/oidc-options.ts";
import { SIGNING_ALGORITHMS } from "../auth/authenticate/jwt/signing-algorithms.ts";
import { FLAGS } from "./flags.ts";
import { type FlagValues, UsageError } from "./parse-flags.ts";
import { readFlagFile } from "./read-flag-file.ts";

/** The `--oidc-*` flags; undefined if none is set. */
export function readOidcFlags(flags: FlagValues): OidcOptions | undefined {
  const names = FLAGS.map(({ name }) => name).filter((name) => name.startsWith("oidc-"));
  if (!names.some((name) => flags.given(name))) return undefined;
  if (flags.given("authentication-config"))
    throw new UsageError("authentication-config file and oidc-* flags are mutually exclusive");
  const text = (name: string) => flags.string(name) ?? "";
  if (text("oidc-issuer-url") === "" || text("oidc-client-id") === "")
    throw new UsageError("oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set");
  const requiredClaims = flags.texts("oidc-required-claim");
  for (const pair of requiredClaims)
    if (pair.indexOf("=") < 1) throw new UsageError(`--oidc-required-claim=${pair}: write claim=value`);
  const signingAlgorithms = flags.list("oidc-signing-algs");
  const unknown = signingAlgorithms.find((algorithm) => !SIGNING_ALGORITHMS.includes(algorithm));
  if (unknown !== undefined) throw new UsageError(`oidc: unsupported signing alg: "${unknown}"`);
  const authority = text("oidc-ca-file");
  return {
    issuerUrl: text("oidc-issuer-url"),
    clientId: text("oidc-client-id"),
    usernameClaim: text("oidc-username-claim"),
    usernamePrefix: text("oidc-username-prefix"),
    groupsClaim: text("oidc-groups-claim"),
    groupsPrefix: text("oidc-groups-prefix"),
    requiredClaims,
    certificateAuthority: authority === "" ? "" : readFlagFile("oidc-ca-file", authority),
    signingAlgorithms,
  };
}
