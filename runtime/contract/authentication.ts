import type { UserInfo } from "./user-info.ts";

/** From when until when something is good, both in milliseconds since the epoch and included. */
export interface Validity {
  readonly from: number;
  readonly until: number;
}

export interface ClientCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** UIDs in its subject; more than one is an error. */
  readonly uids?: readonly string[];
  /** SHA-256 of the certificate in lower-case hexadecimal digits. */
  readonly fingerprint: string;
  /** Until when it is good by itself, in milliseconds since the epoch. */
  readonly validUntil?: number;
  /** When it is good as that of a client, with those who vouch for it. Connections last longer than certificates. */
  readonly validity?: Validity;
  /** Why it is not trusted as that of a client, if it is not. */
  readonly problem?: string;
  /** Whether the authority of front proxies vouches for it, and when that is good. */
  readonly isFrontProxy?: boolean;
  readonly frontProxyValidity?: Validity;
}

/** The headers of a request. */
export interface RequestHeaders {
  /** Value of one header by lower-case name; several values joined by the transport are separate entries. */
  header(name: string): readonly string[];
  /** Names of all headers, lower case: extras of impersonation are found by prefix. */
  headerNames(): Iterable<string>;
}

/** What a request presents of itself; the serving layer fills it in, whatever the transport. */
export interface Credentials extends RequestHeaders {
  /** The client certificate of the connection, if one was shown. */
  readonly clientCertificate?: ClientCertificate;
  /** Path of the request, for conditions of anonymous access. */
  readonly path: string;
  /** Adds a Warning header to the answer. */
  readonly warn: (message: string) => void;
}

/** A proxy in front of the server that has found out who its callers are, and says so in headers. */
export interface FrontProxyTrust {
  /** PEM of who signs the certificates of such proxies. */
  readonly authority: string;
  /** Common names of their certificates; empty for any. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

export interface AuthenticationResult {
  readonly user: UserInfo;
  /** Audiences for which the credentials are good; absent where they have none. */
  readonly audiences?: readonly string[];
  /** When the credentials stop being good, in milliseconds since the epoch; absent where they do not say. */
  readonly expires?: number;
}

/** Credentials that were looked at and found wrong; the message may be shown to whoever sent them. */
export class CredentialsError extends Error {
  readonly code = "credentials";
}

/**
 * `undefined`: not mine, ask the next. Throwing a CredentialsError: mine, but wrong; the next is asked nevertheless, and the
 * message is kept.
 */
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
