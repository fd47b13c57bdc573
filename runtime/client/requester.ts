import { clearInterval, setInterval } from "node:timers";
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
  /** Timeout of requests other than watches, until the whole response is received. */
  readonly timeoutMs: number;
  /** Maximum number of retries that the server asks for. */
  readonly retries: number;
  /** Registers parts with the in-process plane to which the client is connected. */
  readonly join?: Settling["join"] | undefined;
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface ApiRequest {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  readonly query?: Query;
  /** JSON value. */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly signal?: AbortSignal;
  /** Whether the response will be consumed by `read`, with a function that does not keep the bytes. */
  readonly isStream?: boolean;
  /** If false, the caller handles 429 and 503. */
  readonly retries?: boolean;
}

/** Delay for a response that asks for a retry without specifying when. */
const DEFAULT_RETRY_SECONDS = 1;
const LONGEST_RETRY_SECONDS = 60;
/** Maximum number of bytes read from the body of an error response; larger than any Status. */
const MOST_ERROR_BYTES = 4 * 1024 * 1024;

/**
 * Sends requests and reads responses. Retries a response with `Retry-After` (429, 503) after that time, up to a limit; a response with 401 once, if
 * the credentials could be renewed; and a GET once, if the server had already closed the reused connection. Redirects are not followed.
 */
export class Requester {
  readonly clock: Clock;
  readonly #options: RequesterOptions;
  readonly #listeners = new Set<(warning: Warning) => void>();

  constructor(options: RequesterOptions) {
    this.#options = options;
    this.clock = options.clock;
  }

  /** Calls `listener` with each warning, until the returned function is called. */
  onWarning(listener: (warning: Warning) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Makes `settled()` of the plane wait until this part is idle, until the returned function is called. */
  join(part: SettlingPart): () => void {
    return this.#options.join?.(part) ?? (() => undefined);
  }

  /** Sends a request and parses the body. Rejects with an `ApiError` if the server refuses the request. */
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

  /** Sends a request. Resolves with the response, whose body is still to be read, if it succeeded. Has no timeout: for watches. */
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
        // The error of the server is more useful than the fact that there was no time for another attempt.
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

  /** Returns the seconds until the next attempt; undefined if there is none. */
  #retryAfter(error: ApiError, request: ApiRequest, attempt: number): number | undefined {
    if (request.retries === false || attempt >= this.#options.retries) return undefined;
    const { httpStatus, retryAfterSeconds } = error;
    if (httpStatus !== 429 && (httpStatus < 500 || retryAfterSeconds === undefined)) return undefined;
    return Math.min(retryAfterSeconds ?? DEFAULT_RETRY_SECONDS, LONGEST_RETRY_SECONDS);
  }

  async #wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
    // Keeps the process alive: the timers of the clock do not, and there may be no connection.
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

/** Resolves after the given time of the clock. Rejects with the reason of the signal if it is aborted before. */
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

/** Aborts the controller when the signal is aborted, until the returned function is called. */
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

/** Reads the body, but stops after the chunk that exceeds `most` bytes. */
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

/** Detects responses such as the login page of a proxy. Other content types are not checked: extension servers may omit theirs. */
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

/** Returns the texts of a `Warning` header: `299 - "unknown field \"spec.x\""`. */
function parseWarnings(header: string): string[] {
  return [...header.matchAll(WARNING)].map(([, text = ""]) => text.replace(/\\(.)/g, "$1"));
}
