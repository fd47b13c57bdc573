import type { Controller, ControllerParts } from "./controller.ts";

export interface PeriodicWork {
  readonly name: string;
  /** What the work is about: problems are reported with it. */
  readonly subject: string;
  readonly intervalMs: number;
  /** Whether even the first round has its time to come: what it does was just done. */
  readonly waitsFirst?: boolean;
  /** Does the work once. */
  round(): Promise<void>;
  /** Cleans up behind the last round. */
  leave?(): Promise<void>;
}

/**
 * Does its work when it is started and then again and again, whatever changed. A round that fails is reported; the next
 * one tries again.
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
