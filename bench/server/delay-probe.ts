/**
 * Loaded into the server under load: keeps a histogram of how long its event loop was busy at a time. On SIGUSR2 it
 * writes what was seen since the last time to the file that BENCH_DELAY_FILE names, in milliseconds.
 */
import { renameSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

const RESOLUTION_MS = 5;
const file = process.env.BENCH_DELAY_FILE;
if (file !== undefined) {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  // The histogram holds the time between two looks; what is beyond the time they are meant to lie apart is delay.
  const delay = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  process.on("SIGUSR2", () => {
    const [median, p99] = [50, 99].map((share) => delay(histogram.percentile(share)));
    writeFileSync(`${file}.part`, JSON.stringify({ median, p99, longest: delay(histogram.max) }));
    renameSync(`${file}.part`, file);
    histogram.reset();
  });
}
