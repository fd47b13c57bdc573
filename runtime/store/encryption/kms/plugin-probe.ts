import type { Clock } from "../../../lib/clock.ts";
import { KmsError } from "./kms-channel.ts";

const LOOK_EVERY_MS = 60_000;
const LOOK_AGAIN_MS = 10_000;

export interface PluginProbeParts {
  readonly name: string;
  readonly clock: Clock;
  /** Called with each failed check, for the log. */
  readonly failed: (problem: string) => void;
  /** Rejects with a KmsError if the plugin is unhealthy. */
  readonly check: () => Promise<void>;
}

/** Checks the health of a KMS plugin regularly: every minute, and every 10 seconds after a failure. */
export class PluginProbe {
  readonly #parts: PluginProbeParts;
  #problem = "its status is not known yet";
  #cancel = () => {};
  #closed = false;

  constructor(parts: PluginProbeParts) {
    this.#parts = parts;
  }

  /** Undefined if the plugin is healthy. */
  get problem(): string | undefined {
    return this.#problem === "" ? undefined : this.#problem;
  }

  /** Example: `the KMS plugin vault is not healthy: …`. */
  get complaint(): string {
    return `the KMS plugin ${this.#parts.name} is not healthy: ${this.#problem}`;
  }

  /** Checks the plugin now and regularly from then on. Resolves after the first check. */
  async look(): Promise<void> {
    try {
      await this.#parts.check();
      this.#problem = "";
    } catch (error) {
      if (!(error instanceof KmsError)) throw error;
      this.#fail(error.message);
    }
    if (!this.#closed) this.#lookLater(this.#problem === "" ? LOOK_EVERY_MS : LOOK_AGAIN_MS);
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }

  #lookLater(delayMs: number): void {
    const failed = (error: unknown): void => {
      this.#fail(String(error));
      if (!this.#closed) this.#lookLater(LOOK_AGAIN_MS);
    };
    this.#cancel = this.#parts.clock.after(delayMs, () => void this.look().catch(failed));
  }

  #fail(problem: string): void {
    this.#problem = problem;
    this.#parts.failed(this.complaint);
  }
}
