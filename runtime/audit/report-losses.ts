import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";

const QUIET_MS = 1000;

/** Logs the number of lost events with the last reason: immediately, and then at most once per second. */
export function reportLosses(log: Log, clock: Clock): (events: number, why: string) => void {
  let lost = 0;
  let reason = "";
  let isQuiet = false;
  const report = (): void => {
    isQuiet = lost > 0;
    if (lost === 0) return;
    log("error", `${lost} audit events were lost: ${reason}`);
    lost = 0;
    clock.after(QUIET_MS, report);
  };
  return (events, why) => {
    lost += events;
    reason = why;
    if (!isQuiet) report();
  };
}
