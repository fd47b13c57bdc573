import { Agent } from "node:https";
import { parseJson } from "../../encoding/json/parse-json.ts";
import type { Clock } from "../../lib/clock.ts";
import { ExchangeError, exchange } from "../../lib/exchange.ts";
import type { WebhookConnection } from "./webhook-connection.ts";

const MAX_BYTES = 1024 * 1024;
const FIRST_DELAY_MS = 500;
const GROWTH = 1.5;
const ATTEMPTS = 5;
/** Answers that say "later" rather than "no". */
const TRANSIENT = new Set([429, 500, 503, 504]);

/** A webhook that gave no proper answer. */
export class WebhookError extends Error {
  readonly code = "webhook";
}

export interface WebhookClientOptions {
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Stretches delays a little, so that servers do not ask in step. */
  readonly random: () => number;
}

/** Sends reviews to a webhook and reads its answers, as JSON. What may pass is tried again a few times. */
export class WebhookClient {
  readonly #connection: WebhookConnection;
  readonly #options: WebhookClientOptions;
  readonly #agent: Agent | undefined;

  constructor(connection: WebhookConnection, options: WebhookClientOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#agent =
      connection.url.protocol === "https:" ? new Agent({ keepAlive: true, ...(connection.tls as object) }) : undefined;
  }

  /** The object the webhook answers with. Throws a WebhookError. */
  async post(review: object): Promise<Readonly<Record<string, unknown>>> {
    let delay = FIRST_DELAY_MS;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#try(JSON.stringify(review));
      if ("answer" in outcome) return outcome.answer;
      if (!outcome.passes || attempt === ATTEMPTS) throw new WebhookError(outcome.problem);
      const pause = delay * (1 + 0.2 * this.#options.random());
      await new Promise<void>((resolve) => void this.#options.clock.after(pause, resolve));
      delay *= GROWTH;
    }
  }

  close(): void {
    this.#agent?.destroy();
  }

  async #try(body: string): Promise<Outcome> {
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
        ...(this.#agent !== undefined && { agent: this.#agent }),
        timeoutMs: this.#options.timeoutMs,
        maxBytes: MAX_BYTES,
      });
      if (status < 200 || status > 299)
        return { problem: `the webhook answered ${statusText}`, passes: TRANSIENT.has(status) };
      return read(answer);
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      return { problem: error.message, passes: /ECONNRESET|socket hang up/.test(error.message) };
    }
  }
}

type Outcome =
  | { readonly answer: Readonly<Record<string, unknown>> }
  | { readonly problem: string; readonly passes: boolean };

function read(answer: Buffer): Outcome {
  try {
    const { value } = parseJson(answer);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return { answer: value as Record<string, unknown> };
  } catch {
    // Said below.
  }
  return { problem: "the webhook answered something that is no object in JSON", passes: false };
}
