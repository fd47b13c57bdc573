import { formatNumber, percentile } from "../measurement.ts";
import type { Report } from "./measure-server.ts";
import { Pace } from "./pace.ts";
import { residentMiB, startServer } from "./server-process.ts";

const STARTS = 5;
/** A server collects what starting has left behind once it has been quiet for ten seconds. */
const SETTLE_MS = 30_000;

/** From exec to ready on a new data directory, and what a server that has nothing to do keeps. */
export async function measureStart(report: Report): Promise<void> {
  const pace = await Pace.start();
  const times: number[] = [];
  const corrected: number[] = [];
  const cpu: number[] = [];
  for (let index = 0; index < STARTS; index++) {
    const server = await startServer();
    const [pid = 0] = server.pids;
    times.push(server.startMs);
    corrected.push((server.startMs * pace.undisturbed) / (await pace.now(pid)));
    cpu.push(server.startCpuMs);
    if (index === STARTS - 1) {
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      report({
        name: "resident memory, ready and idle",
        value: residentMiB(server.pids),
        unit: "MiB",
        bar: { atMost: 100 },
      });
    }
    await server.stop();
  }
  report({
    name: "from exec to ready, new data directory",
    value: percentile(corrected, 0.5),
    unit: `ms (${formatNumber(percentile(times, 0.5))} as measured)`,
    bar: { atMost: 500 },
  });
  report({ name: "processor time until ready", value: percentile(cpu, 0.5), unit: "CPU ms" });
  pace.stop();
}
