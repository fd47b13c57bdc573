import type { RequestHeaders } from "../transport/transport.ts";

/** Credentials of a request. */
export interface Credentials {
  readonly headers: RequestHeaders;
  /** PEM of a client certificate, and PEM of its key. */
  readonly cert?: string;
  readonly key?: string;
}

/** Provides the credentials of requests. */
export interface Login {
  /** Called for each request. An implementation whose credentials are expensive must cache them while they are valid. */
  credentials(): Credentials | Promise<Credentials>;
  /** Called after a response with 401: discards cached credentials. Returns whether different credentials may be available now. */
  renew(): boolean;
}

/** A user to impersonate, sent in the impersonation headers. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}
