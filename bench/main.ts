/** `make bench`: all figures with their limits, in one table, as Markdown and as a chart. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { formatMeasurement, type Measurement, meetsBar } from "./measurement.ts";
import { chart } from "./report/chart.ts";
import { comparison } from "./report/comparison.ts";
import { markdown, type Section, withSections } from "./report/markdown.ts";
import { BenchmarkRun } from "./report/read-run.ts";
import { measureDurableRequests } from "./server/durable-requests.ts";
import { measureClusterPods, measurePeer, measureServer } from "./server/measure-server.ts";
import { Pace } from "./server/pace.ts";
import { peerTarget } from "./server/peer.ts";
import { startServer } from "./server/server-process.ts";
import { measureStart } from "./server/start.ts";

const usage = `usage: make bench [ONLY=part,part [ADD=1]] [PEER=kubeconfig [PEER_PIDS=id,id]]

Measures, each beside a baseline taken in the same run, and writes bench/results/latest.md and latest.svg. With ONLY, nothing is written, unless
ADD=1 puts the parts into the last run.
PEER measures another server on this machine in the same way, as part "peer"; PEER_PIDS are its processes, whose processor time then counts.
Parts: start server growth curves watchers store apply cel encoding conversion client fairness generator`;

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    add: { type: "boolean", default: false },
    peer: { type: "string" },
    "peer-pids": { type: "string", default: "" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const peer = values.peer === undefined ? undefined : peerTarget(values.peer, processIds(values["peer-pids"]));
/** Load average before the run. With more than one per core, wall-clock times mean little. */
const loadBefore = loadavg()[0] ?? 0;
const cores = `${cpus().length} cores (${cpus()[0]?.model.trim() || process.arch})`;
const machine = `${cores}, Node ${process.version}, load ${loadBefore.toFixed(1)} when it began`;
const only = values.only.split(",").filter((part) => part !== "");

/** The parts in the order of the table. Each is loaded when it runs. */
const parts: Record<string, (report: (measurement: Measurement) => void) => Promise<void>> = {
  start: async (report) => measureStart(report),
  server: async (report) => {
    const pace = await Pace.start();
    const target = await startServer({ probe: true });
    try {
      await measureServer({ ...target, pace }, report);
    } finally {
      await target.stop();
    }
    await measureClusterPods(pace, report);
    pace.stop();
    const fresh = await startServer();
    try {
      await measureDurableRequests(fresh, report);
    } finally {
      await fresh.stop();
    }
  },
  growth: async (report) => {
    const { measureGrowth } = await import("./server/growth.ts");
    await measureGrowth(report);
  },
  curves: async (report) => {
    const { measureCurves } = await import("./growth/measure-curves.ts");
    await measureCurves(report, machine);
  },
  watchers: async (report) => {
    const { measureManyWatchers } = await import("./server/many-watchers.ts");
    await measureManyWatchers(report);
  },
  store: async (report) => {
    const { measureDurableWrites } = await import("./store/durable-writes.ts");
    const { measureLargeCache } = await import("./store/large-cache.ts");
    const { measureWatchFanOut } = await import("./store/watch-fan-out.ts");
    for (const measure of [measureDurableWrites, measureLargeCache, measureWatchFanOut])
      (await measure()).forEach(report);
  },
  apply: async (report) => {
    const { measureApply } = await import("./apply/apply.ts");
    for (const { name, microseconds, ratio } of measureApply()) {
      const baseline = { name: "parse and print", value: microseconds / ratio };
      report({ name: `apply: ${name}`, value: microseconds, unit: "µs", baseline, bar: { atMost: 15 } });
    }
  },
  cel: async (report) => {
    const { benchRules } = await import("./cel/cel.ts");
    for (const { name, ours, byHand, peer, peerTakes } of benchRules()) {
      report({
        name: `rule: ${name}`,
        value: 1e9 / ours,
        unit: "ns",
        baseline: { name: "by hand", value: 1e9 / byHand },
        bar: { atMost: 4 },
      });
      report({
        name: `rule: ${name}, per second`,
        value: ours,
        unit: "/s",
        baseline: { name: peerTakes === "JSON" ? "cel-js" : "cel-js, integers converted beforehand", value: peer },
        bar: { atLeast: 5 },
      });
    }
  },
  encoding: async (report) => {
    const { measurePod, measureWireObjects } = await import("./encoding/encoding.ts");
    for (const figure of [...measurePod(5_000), ...measureWireObjects(20)])
      report({ name: figure.name, value: figure.microseconds, unit: "µs" });
  },
  conversion: async (report) => {
    const { measureConversion } = await import("./conversion/conversion.ts");
    (await measureConversion()).forEach(report);
  },
  client: async (report) => {
    const { measureClient } = await import("./client/measure-client.ts");
    await measureClient(report);
  },
  fairness: async (report) => {
    const { measureRequestCost } = await import("./fairness/request-cost.ts");
    const { measureTwoTenants } = await import("./fairness/two-tenants.ts");
    for (const measure of [measureRequestCost, measureTwoTenants]) (await measure()).forEach(report);
  },
  generator: async (report) => {
    const { measureGenerator } = await import("./generator/generate.ts");
    const [cold, warm] = measureGenerator();
    report({ name: cold!.name, value: cold!.milliseconds, unit: "ms", bar: { atMost: 10_000 } });
    report({ name: warm!.name, value: warm!.milliseconds, unit: "ms", bar: { atMost: 1_000 } });
  },
  ...(peer && {
    // The limits apply to this project only.
    peer: async (report) => measurePeer(peer, ({ bar: _ours, ...measurement }) => report(measurement)),
  }),
};

const unknown = only.filter((part) => !(part in parts));
if (unknown.length > 0) {
  console.error(`there is no part "${unknown[0]}": choose among ${Object.keys(parts).join(", ")}`);
  process.exit(2);
}
const sections: Section[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (only.length > 0 && !only.includes(name)) continue;
  const measurements: Measurement[] = [];
  console.log(`\n${name}`);
  try {
    await measure((measurement) => {
      measurements.push(measurement);
      console.log(`  ${formatMeasurement(measurement)}`);
    });
  } catch (error) {
    // The results of the other parts are still written.
    console.error(`${name} failed:`, error);
    process.exitCode = 1;
  }
  sections.push({ name, measurements });
}

function processIds(list: string): number[] {
  const ids = list.split(",").filter((each) => each !== "");
  const wrong = ids.find((each) => !/^[1-9]\d*$/.test(each) || !existsSync(`/proc/${each}`));
  if (wrong === undefined) return ids.map(Number);
  console.error(`"${wrong}" is not the id of a running process`);
  process.exit(2);
}

const results = fileURLToPath(new URL("./results", import.meta.url));
mkdirSync(results, { recursive: true });
if (only.length === 0 || values.add) {
  const page = join(results, "latest.md");
  const text = only.length === 0 ? markdown(sections, machine) : withSections(readFileSync(page, "utf8"), sections);
  const run = new BenchmarkRun(text);
  writeFileSync(page, text);
  writeFileSync(join(results, "../../docs/images/benchmark.svg"), comparison(run));
  writeFileSync(join(results, "latest.svg"), chart(run.judged()));
}
const missed = sections.flatMap((section) => section.measurements).filter((measurement) => !meetsBar(measurement));
console.log(
  missed.length === 0
    ? "\nevery bar is met"
    : `\nbehind their bar: ${missed.map((measurement) => measurement.name).join("; ")}`,
);
