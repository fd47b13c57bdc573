/** A list is a header with several values. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[]>>;

/** One HTTP request to an API server. */
export interface TransportRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: RequestHeaders;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** The response goes on for long, as that of a watch does, and will be read by `read`, whose function keeps no bytes. */
  readonly isStream?: boolean;
}

export type TakeChunk = (bytes: Uint8Array) => void | Promise<void>;

export interface TransportResponse {
  readonly status: number;
  /** By the name in lower case; several of one name are joined by commas. */
  header(name: string): string | undefined;
  /** Can be iterated once. Ending the iteration early closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
  /**
   * Calls a function with each part of the body as it arrives, in place of iterating it: without promises for each. No more is read while a promise
   * that it returned is pending. Resolves at the end of the body; rejects, and closes the connection, with what the function throws.
   */
  read(take: TakeChunk): Promise<void>;
}

/**
 * Sends requests to one server: over TLS, or within the process. Rejects with a `ConnectionError` if there is no response, and with the
 * reason of the signal if that fires first.
 */
export interface Transport {
  send(request: TransportRequest): Promise<TransportResponse>;
  /** The server did not accept the credentials (401): renews them. True if a retry may succeed. */
  renew(): boolean;
  close(): void;
}
