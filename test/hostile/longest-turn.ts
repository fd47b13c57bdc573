/** CPU time in milliseconds of the event loop's thread during some work: the longest turn of the loop, and all turns together. */
export interface TurnTimes {
  readonly longest: number;
  readonly total: number;
}

/**
 * Measures work of a server in this process. Counts CPU time of this thread, so that a busy machine changes little; what the test itself does
 * meanwhile is counted, too.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<TurnTimes> {
  let [longest, total] = [0, 0];
  let last = process.threadCpuUsage();
  let timer: NodeJS.Immediate;
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(last);
    last = process.threadCpuUsage();
    const milliseconds = (user + system) / 1000;
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
