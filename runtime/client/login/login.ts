import type { RequestHeaders } from "../transport/transport.ts";

/** What a request authenticates with. */
export interface Credentials {
  readonly headers: RequestHeaders;
  /** PEM of a client certificate and its key. */
  readonly cert?: string;
  readonly key?: string;
}

/** A way to log in. */
export interface Login {
  /** Asked for each request: whoever must do work for it keeps the result while it is valid. */
  credentials(): Credentials | Promise<Credentials>;
  /** The server responded with 401: forgets what is cached. True if other credentials may be had now. */
  renew(): boolean;
}

/** A user to act as, by the headers of impersonation. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}
