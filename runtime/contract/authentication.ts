import type { UserInfo } from "./user-info.ts";

/** A validity period, in milliseconds since the epoch; both ends are included. */
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
  /** Expiration of the certificate itself, in milliseconds since the epoch. */
  readonly validUntil?: number;
  /** Validity as a client certificate, including its CAs. Checked for each request, since connections can outlast certificates. */
  readonly validity?: Validity;
  /** Why it is not trusted as a client certificate; absent if it is. */
  readonly problem?: string;
  /** Whether the CA of front proxies issued it, and the validity as such. */
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

/** The credentials of a request, set by the serving layer. */
export interface Credentials extends RequestHeaders {
  /** The client certificate of the connection, if there is one. */
  readonly clientCertificate?: ClientCertificate;
  /** Path of the request, for conditions of anonymous access. */
  readonly path: string;
  /** Adds a Warning header to the response. */
  readonly warn: (message: string) => void;
  /** Adds an annotation to the audit event. */
  readonly annotate: (key: string, value: string) => void;
}

/** Front proxies, which authenticate users and send them in headers. */
export interface FrontProxyHeaders {
  /** Common names of their certificates; empty allows any. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

export interface FrontProxyTrust extends FrontProxyHeaders {
  /** PEM of the CA of their certificates. */
  readonly authority: string;
}

export interface AuthenticationResult {
  readonly user: UserInfo;
  /** Audiences of the credentials; absent if they have none. */
  readonly audiences?: readonly string[];
  /** Expiration of the credentials in milliseconds since the epoch; absent if unknown. */
  readonly expires?: number;
  /** What to tell the user about the credentials. */
  readonly warnings?: readonly string[];
  /** For the audit event of the request. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Invalid credentials; the message may be shown to the client. */
export class CredentialsError extends Error {
  readonly code = "credentials";
  /** The message for the log and the audit trail, which also names the issuer or the webhook. */
  readonly detail: string;

  constructor(message: string, detail: string = message) {
    super(message);
    this.detail = detail;
  }
}

/**
 * Returns undefined if it does not handle the credentials: the next authenticator is called. Throws a CredentialsError if they are
 * invalid: the next authenticator is called too, but the request is never anonymous.
 */
export interface RequestAuthenticator {
  authenticate(credentials: Credentials): AuthenticationResult | undefined | Promise<AuthenticationResult | undefined>;
}

/** Authenticates a bearer token for `audiences`; empty means those of the server. */
export interface TokenAuthenticator {
  authenticateToken(
    token: string,
    audiences: readonly string[],
  ): AuthenticationResult | undefined | Promise<AuthenticationResult | undefined>;
}
