import type { UserInfo } from "./user-info.ts";

/** What a request presents of itself; the serving layer fills it in, whatever the transport. */
export interface Credentials {
  /** Value of one header by lower-case name; several values joined by the transport are separate entries. */
  header(name: string): readonly string[];
  /** Names of all headers, lower case: extras of impersonation are found by prefix. */
  headerNames(): Iterable<string>;
  /** The verified client certificate, if the TLS layer accepted one. */
  readonly clientCertificate?: {
    readonly commonName: string;
    readonly organizations: readonly string[];
    readonly fingerprint256: string;
  };
  /** Path of the request, for conditions of anonymous access. */
  readonly path: string;
}

export interface AuthenticationResult {
  readonly user: UserInfo;
  /** Audiences for which the credentials are good; absent where they have none. */
  readonly audiences?: readonly string[];
}

/** `undefined`: not mine, ask the next. A throw: mine, but wrong; the next is asked nevertheless, the message is kept. */
export interface RequestAuthenticator {
  authenticate(credentials: Credentials): AuthenticationResult | undefined | Promise<AuthenticationResult | undefined>;
}

/** Checks a bearer token. `audiences` are those the asker wants; the server's own when empty. */
export interface TokenAuthenticator {
  authenticateToken(
    token: string,
    audiences: readonly string[],
  ): AuthenticationResult | undefined | Promise<AuthenticationResult | undefined>;
}
