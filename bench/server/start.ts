import { formatNumber, percentile } from "../measurement.ts";
import type { Report } from "./measure-server.ts";
import { Pace } from "./pace.ts";
import { residentMiB, startServer } from "./server-process.ts";

const STARTS = 5;
/** A server collects what starting has left behind once it has been quiet for ten seconds. */
const SETTLE_MS = 30_000;

/** From exec to ready on a new data directory, and what a server that has nothing to do keeps: all of Kubernetes, and base core. */
export async function measureStart(report: Report): Promise<void> {
  const pace = await Pace.start();
  await measureBase(report, pace, { suffix: "", flags: [], mebibytes: 100, milliseconds: 500 });
  await measureBase(report, pace, { suffix: ", base core", flags: ["--base=core"], mebibytes: 70, milliseconds: 250 });
  pace.stop();
}

interface MeasuredBase {
  readonly suffix: string;
  readonly flags: readonly string[];
  readonly mebibytes: number;
  readonly milliseconds: number;
}

async function measureBase(report: Report, pace: Pace, base: MeasuredBase): Promise<void> {
  const times: number[] = [];
  const corrected: number[] = [];
  const cpu: number[] = [];
  const unlimited = ["--max-requests-inflight=0", "--max-mutating-requests-inflight=0"];
  for (let index = 0; index < STARTS; index++) {
    const server = await startServer({ flags: [...unlimited, ...base.flags] });
    const [pid = 0] = server.pids;
    times.push(server.startMs);
    corrected.push((server.startMs * pace.undisturbed) / (await pace.now(pid)));
    cpu.push(server.startCpuMs);
    if (index === STARTS - 1) {
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      report({
        name: `resident memory, ready and idle${base.suffix}`,
        value: residentMiB(server.pids),
        unit: "MiB",
        bar: { atMost: base.mebibytes },
      });
    }
    await server.stop();
  }
  report({
    name: `from exec to ready, new data directory${base.suffix}`,
    value: percentile(corrected, 0.5),
    unit: `ms (${formatNumber(percentile(times, 0.5))} as measured)`,
    bar: { atMost: base.milliseconds },
  });
  report({ name: `processor time until ready${base.suffix}`, value: percentile(cpu, 0.5), unit: "CPU ms" });
}
