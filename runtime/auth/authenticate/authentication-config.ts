import type { FrontProxyTrust } from "../../contract/authentication.ts";
import type { OidcOptions } from "./jwt/oidc-options.ts";

/** How requests are authenticated, as the flags say. */
export interface AuthenticationConfig {
  readonly certDir: string;
  /** Proxies whose headers are believed. */
  readonly frontProxy: FrontProxyTrust | undefined;
  readonly anonymousAuth: boolean;
  /** Whether `--anonymous-auth` was set explicitly. */
  readonly anonymousAuthGiven: boolean;
  /** File of kind AuthenticationConfiguration. */
  readonly authenticationConfig: string | undefined;
  readonly oidc: OidcOptions | undefined;
  /** A webhook that authenticates bearer tokens. */
  readonly tokenWebhook:
    | { readonly configFile: string; readonly version: string; readonly cacheMs: number }
    | undefined;
  readonly serviceAccounts: ServiceAccountConfig;
  readonly apiAudiences: readonly string[];
}

export interface ServiceAccountConfig {
  /** The first is that of new tokens; all are accepted. At least one. */
  readonly issuers: readonly [string, ...string[]];
  /** PEM of the key that signs; the server makes one where it is absent. */
  readonly signingKey: string | undefined;
  /** PEM of keys, private or public, that may have signed besides. */
  readonly keys: readonly string[];
  /** 0 is no limit. */
  readonly maxTokenSeconds: number;
  readonly extendsTokens: boolean;
  /** Whether Secret and account of an old token must exist. */
  readonly looksUp: boolean;
  readonly jwksUri: string | undefined;
}
