import type { FrontProxyHeaders } from "../../contract/authentication.ts";
import type { OidcOptions } from "./jwt/oidc-options.ts";

/** Authentication settings from flags. */
export interface AuthenticationConfig {
  readonly certDir: string | undefined;
  /** Front proxies whose headers are trusted. */
  readonly frontProxy: (FrontProxyHeaders & { readonly authority: FileContents }) | undefined;
  readonly anonymousAuth: boolean;
  /** Whether `--anonymous-auth` was set explicitly. */
  readonly anonymousAuthGiven: boolean;
  /** File of kind AuthenticationConfiguration. */
  readonly authenticationConfig: string | undefined;
  readonly oidc: OidcOptions | undefined;
  /** Whether bootstrap tokens are accepted. */
  readonly bootstrapTokens: boolean;
  /** A webhook that authenticates bearer tokens. */
  readonly tokenWebhook:
    | { readonly configFile: string; readonly version: string; readonly cacheMs: number }
    | undefined;
  readonly serviceAccounts: ServiceAccountConfig;
  readonly apiAudiences: readonly string[];
}

/** Path of a file that a flag names, and the contents it had at the start. */
export interface FileContents {
  readonly path: string;
  readonly contents: string;
}

export interface ServiceAccountConfig {
  /** The first issuer is used for new tokens; tokens of all issuers are accepted. Contains at least one. */
  readonly issuers: readonly [string, ...string[]];
  /** PEM of the signing key; if undefined, the server creates one. */
  readonly signingKey: string | undefined;
  /** PEM of additional private or public keys that verify tokens. */
  readonly keys: readonly string[];
  /** Maximum lifetime of tokens in seconds; 0 means unlimited. */
  readonly maxTokenSeconds: number;
  readonly extendsTokens: boolean;
  /** Whether the Secret and the service account of a legacy token must exist. */
  readonly looksUp: boolean;
  readonly jwksUri: string | undefined;
}
