import type { Controller, ControllerParts } from "./controller.ts";

export interface PeriodicWork {
  readonly name: string;
  /** Name of the objects concerned, for error reports. */
  readonly subject: string;
  readonly intervalMs: number;
  /** Whether to wait for the interval before the first round too, because the work was just done. */
  readonly waitsFirst?: boolean;
  /** Does the work once. */
  round(): Promise<void>;
  /** Cleans up after the last round. */
  leave?(): Promise<void>;
}

/**
 * Creates a controller that works at the start and then at every interval, regardless of changes. A failed round is reported; the next one retries.
 */
export function createPeriodicController(
  work: PeriodicWork,
  { delay, onProblem }: Pick<ControllerParts, "delay" | "onProblem">,
): Controller {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let round: Promise<void> = Promise.resolve();
  const attempt = async (action: () => Promise<void>): Promise<void> => {
    try {
      await action();
    } catch (problem) {
      onProblem?.(work.name, work.subject, problem);
    }
  };
  const run = async (): Promise<void> => {
    if (work.waitsFirst) await delay(work.intervalMs, stopping.signal);
    while (!stopping.signal.aborted) {
      round = attempt(async () => work.round());
      await round;
      await delay(work.intervalMs, stopping.signal);
    }
  };
  return {
    name: work.name,
    async start() {
      running = run();
      await round;
    },
    async stop() {
      stopping.abort();
      await running;
      await attempt(async () => work.leave?.());
    },
    settled: () => round,
  };
}
