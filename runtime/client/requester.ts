import type { Settling, SettlingPart } from "../contract/settling.ts";
import { parseOwnJson } from "../encoding/json/parse-own-json.ts";
import { stringifyJson } from "../encoding/json/stringify-json.ts";
import type { Clock } from "../lib/clock.ts";
import { type ApiError, ConnectionError, errorOfResponse } from "./api-error.ts";
import type { Transport, TransportRequest, TransportResponse } from "./transport/transport.ts";

/** A warning that the server sent with a response. */
export interface Warning {
  readonly text: string;
  /** `POST /api/v1/namespaces/default/pods` */
  readonly request: string;
}

export interface RequesterOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly userAgent: string;
  /** Of requests other than watches, until the whole response is there. */
  readonly timeoutMs: number;
  /** How often a request is sent again that the server asked to send later. */
  readonly retries: number;
  /** Of the plane in this process that it is connected to. */
  readonly join?: Settling["join"] | undefined;
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface ApiRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly signal?: AbortSignal;
  /** The response will be read by `read`, with a function that keeps no bytes. */
  readonly isStream?: boolean;
  /** False: 429 and 503 are for the caller to handle. */
  readonly retries?: boolean;
}

/** Where a server asks for a retry without saying when. */
const DEFAULT_RETRY_SECONDS = 1;
const LONGEST_RETRY_SECONDS = 60;
/** Of the body of a response that is an error, more than any Status has. */
const MOST_ERROR_BYTES = 4 * 1024 * 1024;

/**
 * Sends requests and reads responses. A response with `Retry-After` (429, 503) is retried after that time, a bounded number of times; one
 * with 401 once, if the credentials could be renewed; one on a connection that the server had closed meanwhile, once if it only reads.
 * Redirects are not followed.
 */
export class Requester {
  readonly clock: Clock;
  readonly #options: RequesterOptions;
  readonly #listeners = new Set<(warning: Warning) => void>();

  constructor(options: RequesterOptions) {
    this.#options = options;
    this.clock = options.clock;
  }

  /** Calls a function with each warning; the returned function ends that. */
  onWarning(listener: (warning: Warning) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The plane waits for this part to be idle when it settles; the returned function ends that. */
  join(part: SettlingPart): () => void {
    return this.#options.join?.(part) ?? (() => undefined);
  }

  /** The parsed body. Rejects with an `ApiError` if the server refuses the request. */
  async json<T>(request: ApiRequest): Promise<T> {
    const bytes = await this.bytes(request);
    try {
      return parseOwnJson(bytes) as T;
    } catch (error) {
      const { method, path } = request;
      throw new ConnectionError(`${method} ${path}: the response is no JSON: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  async bytes(request: ApiRequest): Promise<Buffer> {
    const { timeoutMs } = this.#options;
    const timeout = new AbortController();
    const cancel = this.clock.after(timeoutMs, () =>
      timeout.abort(new ConnectionError(`${request.method} ${request.path}: no response within ${timeoutMs} ms`)),
    );
    const stop = follow(request.signal, timeout);
    try {
      return await readAll(await this.open({ ...request, signal: timeout.signal }));
    } finally {
      cancel();
      stop();
    }
  }

  /** The response of a request that succeeded, with a body to be read. No timeout: this is for watches. */
  async open(request: ApiRequest): Promise<TransportResponse> {
    const sent = this.#encode(request);
    let [renewed, stale] = [false, false];
    for (let attempt = 0; ; attempt++) {
      let response: TransportResponse;
      try {
        response = await this.#options.transport.send(sent);
      } catch (error) {
        if (stale || !isStale(error) || request.method !== "GET") throw error;
        stale = true;
        continue;
      }
      this.#report(response, sent);
      if (response.status < 300 && !isWebPage(response)) return response;
      const error = await this.#errorOf(response, sent);
      if (response.status === 401 && !renewed && this.#options.transport.renew()) {
        renewed = true;
        continue;
      }
      const seconds = this.#retryAfter(error, request, attempt);
      if (seconds === undefined) throw error;
      await this.#wait(seconds, request.signal).catch((reason: unknown) => {
        // What the server said tells more than that there was no time for more attempts.
        throw reason instanceof ConnectionError ? error : reason;
      });
    }
  }

  close(): void {
    this.#options.transport.close();
  }

  #encode({ method, path, query, body, contentType, accept, signal, isStream }: ApiRequest): TransportRequest {
    return {
      method,
      path: path + formatQuery(query),
      headers: {
        Accept: accept ?? "application/json",
        "User-Agent": this.#options.userAgent,
        ...(body !== undefined && { "Content-Type": contentType ?? "application/json" }),
      },
      ...(body !== undefined && { body: stringifyJson(body) }),
      ...(signal !== undefined && { signal }),
      ...(isStream !== undefined && { isStream }),
    };
  }

  async #errorOf(response: TransportResponse, { method, path }: TransportRequest): Promise<ApiError> {
    const seconds = Number.parseInt(response.header("retry-after") ?? "", 10);
    const { status } = response;
    const body = (await readAll(response, MOST_ERROR_BYTES)).toString("utf8");
    return errorOfResponse(status, status < 400 ? unusable(response, body) : body, {
      request: `${method} ${path}`,
      ...(Number.isFinite(seconds) && { retryAfterSeconds: seconds }),
    });
  }

  /** Seconds until the next attempt; undefined if there is none. */
  #retryAfter(error: ApiError, request: ApiRequest, attempt: number): number | undefined {
    if (request.retries === false || attempt >= this.#options.retries) return undefined;
    const { httpStatus, retryAfterSeconds } = error;
    if (httpStatus !== 429 && (httpStatus < 500 || retryAfterSeconds === undefined)) return undefined;
    return Math.min(retryAfterSeconds ?? DEFAULT_RETRY_SECONDS, LONGEST_RETRY_SECONDS);
  }

  async #wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
    // Timers of the clock do not keep the process alive, and there may be no connection.
    const keepAlive = setInterval(() => undefined, 2 ** 30);
    try {
      await waitFor(this.clock, seconds * 1000, signal);
    } finally {
      clearInterval(keepAlive);
    }
  }

  #report(response: TransportResponse, { method, path }: TransportRequest): void {
    const header = response.header("warning");
    if (header === undefined || this.#listeners.size === 0) return;
    for (const text of parseWarnings(header)) {
      for (const listener of this.#listeners) listener({ text, request: `${method} ${path.replace(/\?.*/, "")}` });
    }
  }
}

/** Resolves after so many milliseconds of the clock; rejects with the reason of the signal. */
export function waitFor(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = (): void => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(milliseconds, () => {
      signal?.removeEventListener("abort", abort);
      resolve();
    });
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** Aborts the controller when the signal does; the returned function ends that. */
export function follow(signal: AbortSignal | undefined, controller: AbortController): () => void {
  if (signal === undefined) return () => undefined;
  const abort = (): void => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return () => signal.removeEventListener("abort", abort);
}

function formatQuery(query: Query = {}): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return entries.length === 0 ? "" : `?${entries.join("&")}`;
}

/** The body, or its first part if it has more bytes than that. */
async function readAll({ body }: TransportResponse, most = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > most) break;
  }
  return Buffer.concat(chunks);
}

/** Such as the login page of a proxy. Other types are not looked at: extension servers may forget to name theirs. */
function isWebPage(response: TransportResponse): boolean {
  return /^text\/html\b/i.test(response.header("content-type") ?? "");
}

function unusable(response: TransportResponse, body: string): string {
  const { status } = response;
  const location = response.header("location");
  const what = location === undefined ? (response.header("content-type") ?? "no content") : `a redirect to ${location}`;
  return `the server responded with ${status} and ${what} instead of JSON${body === "" ? "" : `: ${body}`}`;
}

function isStale(error: unknown): boolean {
  return error instanceof ConnectionError && (error as { wasStale?: boolean }).wasStale === true;
}

const WARNING = /\b\d{3} \S+ "((?:[^"\\]|\\.)*)"/g;

/** The texts of a `Warning` header: `299 - "unknown field \"spec.x\""`. */
function parseWarnings(header: string): string[] {
  return [...header.matchAll(WARNING)].map(([, text = ""]) => text.replace(/\\(.)/g, "$1"));
}
