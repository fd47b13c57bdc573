/**
 * Loaded into the server under load: keeps a histogram of its event loop delays. On SIGUSR2, writes the delays since the last signal, in
 * milliseconds, to the file named by BENCH_DELAY_FILE.
 */
import { renameSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

const RESOLUTION_MS = 5;
const file = process.env.BENCH_DELAY_FILE;
if (file !== undefined) {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  // The histogram contains the intervals between two samples. What exceeds the resolution is delay.
  const delay = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  process.on("SIGUSR2", () => {
    const [median, p99] = [50, 99].map((share) => delay(histogram.percentile(share)));
    writeFileSync(`${file}.part`, JSON.stringify({ median, p99, longest: delay(histogram.max) }));
    renameSync(`${file}.part`, file);
    histogram.reset();
  });
}
