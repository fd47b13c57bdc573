import { threadCpuMs } from "../tools/thread-cpu.ts";

/** CPU time in milliseconds of the event loop's thread during some work: of the longest turn, and of all turns. */
export interface TurnTimes {
  readonly longest: number;
  readonly total: number;
}

/**
 * Measures work of a server in this process. Uses CPU time of this thread, so that other load has little effect. Work of the test itself is
 * included.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<TurnTimes> {
  let [longest, total] = [0, 0];
  let last = threadCpuMs();
  let timer: NodeJS.Immediate;
  const look = (): void => {
    const now = threadCpuMs();
    const milliseconds = now - last;
    last = now;
    longest = Math.max(longest, milliseconds);
    total += milliseconds;
  };
  const turn = (): void => {
    look();
    timer = setImmediate(turn);
  };
  timer = setImmediate(turn);
  await work();
  clearImmediate(timer);
  look();
  return { longest, total };
}
