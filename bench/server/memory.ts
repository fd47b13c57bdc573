import type { Report } from "./measure-server.ts";
import { residentMiB, type Target } from "./server-process.ts";

/** Idle time before the memory is measured. */
const SETTLE_MS = 30_000;
/** Limit for a server with 10,000 pods after a load. */
const LIMIT_MIB = 350;

/** Reports the resident memory of a server now and after it was idle. */
export async function reportMemory(
  target: Target,
  names: { now: string; rested: string },
  report: Report,
): Promise<void> {
  if (target.pids.length === 0) return;
  report({ name: names.now, value: residentMiB(target.pids), unit: "MiB" });
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  report({ name: names.rested, value: residentMiB(target.pids), unit: "MiB", bar: { atMost: LIMIT_MIB } });
}
