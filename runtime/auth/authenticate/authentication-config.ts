import type { FrontProxyHeaders } from "../../contract/authentication.ts";
import type { OidcOptions } from "./jwt/oidc-options.ts";

/** How requests are authenticated, as set by flags. */
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

/** A file that a flag names, and its contents at the start. */
export interface FileContents {
  readonly path: string;
  readonly contents: string;
}

export interface ServiceAccountConfig {
  /** New tokens have the first issuer; tokens of all issuers are accepted. At least one. */
  readonly issuers: readonly [string, ...string[]];
  /** PEM of the signing key; by default the server creates one. */
  readonly signingKey: string | undefined;
  /** PEM of further keys, private or public, that verify tokens. */
  readonly keys: readonly string[];
  /** 0 is no limit. */
  readonly maxTokenSeconds: number;
  readonly extendsTokens: boolean;
  /** Whether the Secret and the service account of a legacy token must exist. */
  readonly looksUp: boolean;
  readonly jwksUri: string | undefined;
}
