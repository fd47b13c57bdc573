import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { ParserFinding, ParserWork } from "./parser-worker.ts";

const FROZEN_MS = 30_000;

/**
 * Feeds inputs to the server's parsers in a separate thread during the attack on the server. If an input freezes a parser, continues with the
 * next one.
 */
export class ParserAttack {
  readonly #seed: number;
  readonly #limitMs: number;
  readonly #onFinding: (finding: ParserFinding) => void;
  #next: number;
  #tried = 0;

  /** `first` is the number of the first input. */
  constructor(seed: number, first: number, limitMs: number, onFinding: (finding: ParserFinding) => void) {
    this.#seed = seed;
    this.#next = first;
    this.#limitMs = limitMs;
    this.#onFinding = onFinding;
  }

  get tried(): number {
    return this.#tried;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) await this.#runWorker(signal);
  }

  async #runWorker(signal: AbortSignal): Promise<void> {
    const shared = new SharedArrayBuffer(8);
    const state = new Int32Array(shared);
    const from = this.#next;
    state[0] = from;
    const workerData: ParserWork = { seed: this.#seed, from, limitMs: this.#limitMs, shared };
    const worker = new Worker(new URL("./parser-worker.ts", import.meta.url), { workerData });
    worker.on("message", this.#onFinding);
    let ended = false;
    worker.on("error", (error) => {
      ended = true;
      this.#onFinding({ number: state[0] as number, what: `ends its thread: ${error.message}` });
    });
    const before = this.#tried;
    let seen = from;
    let since = performance.now();
    while (!signal.aborted && !ended) {
      await sleep(100, undefined, { signal }).catch(() => undefined);
      const number = state[0] as number;
      this.#tried = before + number - from;
      if (number !== seen || signal.aborted) {
        [seen, since] = [number, performance.now()];
      } else if (performance.now() - since > FROZEN_MS) {
        this.#onFinding({ number, what: `takes more than ${FROZEN_MS / 1000} s` });
        break;
      }
    }
    Atomics.store(state, 1, 1);
    this.#next = (state[0] as number) + 1;
    this.#tried = before + this.#next - from;
    await Promise.race([new Promise((resolve) => worker.once("exit", resolve)), sleep(1000)]);
    await worker.terminate();
  }
}
