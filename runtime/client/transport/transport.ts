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
}

export interface TransportResponse {
  readonly status: number;
  /** By the name in lower case; several of one name are joined by commas. */
  header(name: string): string | undefined;
  /** Can be iterated once. Ending the iteration early closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
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
