/** Header values by name. A list sends the header once per value. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[]>>;

/** One HTTP request to an API server. */
export interface TransportRequest {
  readonly method: string;
  /** Path with the query. */
  readonly path: string;
  readonly headers: RequestHeaders;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** Whether the response is long-lived, like that of a watch, and will be consumed by `read`, with a function that does not keep the bytes. */
  readonly isStream?: boolean;
}

export type TakeChunk = (bytes: Uint8Array) => void | Promise<void>;

export interface TransportResponse {
  readonly status: number;
  /** Returns the value of a header. `name` is in lower case. Several values are joined with commas. */
  header(name: string): string | undefined;
  /** Can be iterated once. Ending the iteration early closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
  /**
   * Calls `take` with each part of the body as it arrives, which needs fewer promises than iteration. If `take` returns a promise, reading continues
   * when it is resolved. Resolves at the end of the body. If `take` throws, closes the connection and rejects with that error.
   */
  read(take: TakeChunk): Promise<void>;
}

/**
 * Sends requests to one server: over the network, or within the process. Rejects with a `ConnectionError` if there is no response, or with the reason
 * of the signal if it is aborted before.
 */
export interface Transport {
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Renews credentials that the server rejected (401). Returns whether a retry may succeed. */
  renew(): boolean;
  close(): void;
}
