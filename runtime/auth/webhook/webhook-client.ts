import { Agent } from "node:https";
import { parseJson } from "../../encoding/json/parse-json.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Route } from "../../outbound/dial.ts";
import { ExchangeError, exchange } from "../../outbound/exchange.ts";
import type { WebhookConnection } from "./webhook-connection.ts";

const MAX_BYTES = 1024 * 1024;
const FIRST_DELAY_MS = 500;
const GROWTH = 1.5;
const ATTEMPTS = 5;
const GATEWAY_TIMEOUT = 504;
/** Status codes that are retried. */
const TRANSIENT = new Set([429, 500, 503, GATEWAY_TIMEOUT]);

/** A webhook call without a valid response. */
export class WebhookError extends Error {
  readonly code = "webhook";
  readonly timedOut: boolean;

  constructor(message: string, timedOut = false) {
    super(message);
    this.timedOut = timedOut;
  }
}

/** Receives the result of each attempt to call a webhook, and its duration. */
export type AttemptObserver = (result: "success" | "timeout" | "error", milliseconds: number) => void;

export interface WebhookClientOptions {
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Returns random numbers for the jitter of delays, so that servers do not retry at the same time. */
  readonly random: () => number;
  /** Delay before the first retry. */
  readonly firstDelayMs?: number;
  /** Whether every failure is retried, and not only transient ones. */
  readonly retriesAll?: boolean;
  /** Proxy to the webhook; undefined for direct connections. */
  readonly route?: Route | undefined;
  readonly observe?: AttemptObserver;
}

/** Sends reviews to a webhook as JSON and parses its responses. Retries transient failures a few times. */
export class WebhookClient {
  readonly #connection: WebhookConnection;
  readonly #options: WebhookClientOptions;
  readonly #agent: Agent | undefined;
  /** Functions that end the current delays between attempts. */
  readonly #pauses = new Set<() => void>();
  #hurries = false;
  #isOver = false;

  constructor(connection: WebhookConnection, options: WebhookClientOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#agent =
      connection.url.protocol === "https:" && options.route === undefined ? new Agent({ keepAlive: true }) : undefined;
  }

  /** Sends a review. Returns the result of `read` for the object in the response. Throws a WebhookError; `read` may throw one too. */
  post<T>(review: object, read: (answer: Readonly<Record<string, unknown>>) => T): Promise<T> {
    return this.#send(JSON.stringify(review), (answer) => read(parse(answer)));
  }

  /** Sends a JSON body; the response is not parsed. Throws a WebhookError. */
  deliver(body: string): Promise<void> {
    return this.#send(body, () => undefined);
  }

  async #send<T>(body: string, read: (answer: Buffer) => T): Promise<T> {
    let delay = this.#options.firstDelayMs ?? FIRST_DELAY_MS;
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt === ATTEMPTS || this.#hurries;
      const began = performance.now();
      const outcome = await this.#try(body, read);
      const failed = "problem" in outcome;
      const result = !failed ? "success" : outcome.timedOut === true ? "timeout" : "error";
      this.#options.observe?.(result, performance.now() - began);
      if (!failed) return outcome.answer;
      const passes = outcome.passes || this.#options.retriesAll === true;
      if (!passes || isLast || this.#isOver) throw new WebhookError(outcome.problem, outcome.timedOut);
      if (!this.#hurries) await this.#pause(delay * (1 + 0.2 * this.#options.random()));
      delay *= GROWTH;
    }
  }

  /** Retries pending requests immediately for the last time. Later failures are not retried. */
  hurry(): void {
    this.#hurries = true;
    for (const end of this.#pauses) end();
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise<void>((resolve) => {
      const end = (): void => {
        cancel();
        this.#pauses.delete(end);
        resolve();
      };
      const cancel = this.#options.clock.after(milliseconds, end);
      this.#pauses.add(end);
    });
  }

  /** Closes all connections. Pending requests are retried, or fail if `hurry` was called before. */
  close(): void {
    this.#isOver = this.#hurries;
    this.#agent?.destroy();
  }

  async #try<T>(body: string, read: (answer: Buffer) => T): Promise<Outcome<T>> {
    const { url } = this.#connection;
    const authorization = this.#connection.authorization();
    try {
      const {
        status,
        statusText,
        body: answer,
      } = await exchange({
        url,
        method: "POST",
        headers: {
          Accept: "application/json",
          "Content-Type": "application/json",
          ...(authorization !== undefined && { Authorization: authorization }),
        },
        body,
        tls: this.#connection.tls,
        ...(this.#agent !== undefined && { agent: this.#agent }),
        route: this.#options.route,
        timeoutMs: this.#options.timeoutMs,
        maxBytes: MAX_BYTES,
      });
      if (status < 200 || status > 299)
        return {
          problem: `the webhook answered ${statusText}`,
          passes: TRANSIENT.has(status),
          timedOut: status === GATEWAY_TIMEOUT,
        };
      return { answer: read(answer) };
    } catch (error) {
      if (error instanceof WebhookError) return { problem: error.message, passes: false };
      if (!(error instanceof ExchangeError)) throw error;
      return {
        problem: error.message,
        passes: /ECONNRESET|socket hang up/.test(error.message),
        timedOut: error.timedOut,
      };
    }
  }
}

type Outcome<T> =
  | { readonly answer: T }
  | { readonly problem: string; readonly passes: boolean; readonly timedOut?: boolean };

function parse(answer: Buffer): Readonly<Record<string, unknown>> {
  try {
    const { value } = parseJson(answer);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // The error is thrown below.
  }
  throw new WebhookError("the webhook sent a response that is not a JSON object");
}
