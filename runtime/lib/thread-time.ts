/**
 * Processor time of this thread, in milliseconds: on a busy machine, real time may pass without any work being done. Real time where
 * Node does not tell it, as 22.18 and 23.6.
 */
export function threadMs(): number {
  if (typeof process.threadCpuUsage !== "function") return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
