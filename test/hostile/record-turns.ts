/**
 * Loaded into the server under attack. Writes the delay of each event loop turn, and the processor time of its thread meanwhile, to the file
 * that `HOSTILE_TURNS` names. A thread that is late without using processor time waits for a processor.
 */
import { appendFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { threadCpuMs } from "../tools/thread-cpu.ts";

const TICK_MS = 5;
const LATE_MS = 30;
const file = process.env.HOSTILE_TURNS;

if (isMainThread && file !== undefined) {
  let last = performance.now();
  let used = threadCpuMs();
  setInterval(() => {
    const lateMs = performance.now() - last - TICK_MS;
    if (lateMs > LATE_MS) appendFileSync(file, `${lateMs.toFixed(0)} ${(threadCpuMs() - used).toFixed(0)}\n`);
    last = performance.now();
    used = threadCpuMs();
  }, TICK_MS).unref();
}
