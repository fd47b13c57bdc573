import type { UserInfo } from "./user-info.ts";

/** A validity period, in milliseconds since the epoch; both ends are included. */
export interface Validity {
  readonly from: number;
  readonly until: number;
}

export interface ClientCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** UIDs in the subject. More than one is an error. */
  readonly uids?: readonly string[];
  /** SHA-256 of the certificate in lower-case hexadecimal digits. */
  readonly fingerprint: string;
  /** Expiration of the certificate itself, in milliseconds since the epoch. */
  readonly validUntil?: number;
  /** Validity as a client certificate, including its CAs. Checked for each request, because connections can outlive certificates. */
  readonly validity?: Validity;
  /** The reason why it is not trusted as a client certificate. Absent if it is trusted. */
  readonly problem?: string;
  /** Whether the CA of front proxies issued it. `frontProxyValidity` is its validity in this role. */
  readonly isFrontProxy?: boolean;
  readonly frontProxyValidity?: Validity;
}

/** The headers of a request. */
export interface RequestHeaders {
  /** Returns the values of a header by lower-case name. Repeated headers are separate entries. */
  header(name: string): readonly string[];
  /** Returns the lower-case names of all headers. Extras of impersonation are found by prefix. */
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

/** Settings of front proxies, which authenticate users and pass them on in headers. */
export interface FrontProxyHeaders {
  /** Allowed common names of their certificates. Empty allows any. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

export interface FrontProxyTrust extends FrontProxyHeaders {
  /** PEM of the CA that issues their certificates. */
  readonly authority: string;
}

export interface AuthenticationResult {
  readonly user: UserInfo;
  /** Audiences of the credentials; absent if they have none. */
  readonly audiences?: readonly string[];
  /** Expiration of the credentials in milliseconds since the epoch; absent if unknown. */
  readonly expires?: number;
  /** Warnings about the credentials for the client. */
  readonly warnings?: readonly string[];
  /** Annotations for the audit event of the request. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Invalid credentials; the message may be shown to the client. */
export class CredentialsError extends Error {
  readonly code = "credentials";
  /** The message for the log and the audit trail. Also names the issuer or the webhook. */
  readonly detail: string;

  constructor(message: string, detail: string = message) {
    super(message);
    this.detail = detail;
  }
}

/**
 * Authenticates requests. Returns undefined if it does not handle the credentials; the next authenticator is then called. Throws a
 * CredentialsError if they are invalid; the next authenticator is then called too, but the request is never anonymous.
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
