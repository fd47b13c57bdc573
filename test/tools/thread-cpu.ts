/** Milliseconds of processor time that this thread has used; that of the process in Node 22.18 and 23.6, which do not count it by thread. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1000;
}
