import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Measurement } from "../measurement.ts";

const PODS = 10_000;
const PER_SECOND = 1000;

interface Figures {
  readonly syncCpuMs: number;
  readonly heap: number;
  readonly heapAfter: number;
  readonly rssUnderLoad: number;
  /** Part that the informer adds. The rest is Node, the client, and the TypeScript loader. */
  readonly rssAdded: number;
  readonly eventsPerSecond: number;
  readonly cpuMsPerThousand: number;
}

/** Measures an informer with 10,000 pods and 1,000 events per second, compared with that of @kubernetes/client-node. Each runs in its own process. */
export async function measureClient(report: (measurement: Measurement) => void): Promise<void> {
  const ours = await measure("ours");
  const peer = await measure("peer");
  const name = "@kubernetes/client-node";
  const beside = (what: string, unit: string, pick: (figures: Figures) => number, atMost?: number) =>
    report({
      name: `informer of 10,000 pods: ${what}`,
      value: pick(ours),
      unit,
      baseline: { name, value: pick(peer) },
      ...(atMost !== undefined && { bar: { atMost } }),
    });
  beside("CPU per 1,000 events", "ms", (figures) => figures.cpuMsPerThousand, 1 / 3);
  beside("CPU until it is synced", "ms", (figures) => figures.syncCpuMs, 1 / 3);
  beside("heap after a collection", "MiB", (figures) => figures.heap, 1 / 2);
  beside("resident memory that it adds, under load", "MiB", (figures) => figures.rssAdded, 1 / 2);
  beside("resident memory of the process under load", "MiB", (figures) => figures.rssUnderLoad);
  beside("events a second", "/s", (figures) => figures.eventsPerSecond);
  for (const which of ["ours with managedFields", "ours, metadata only"]) {
    const { cpuMsPerThousand, heap, rssUnderLoad } = await measure(which);
    report({ name: `${which}: CPU per 1,000 events`, value: cpuMsPerThousand, unit: "ms" });
    report({ name: `${which}: heap after a collection`, value: heap, unit: "MiB" });
    report({ name: `${which}: resident memory under load`, value: rssUnderLoad, unit: "MiB" });
  }
}

async function measure(which: string): Promise<Figures> {
  const server = run("pod-server.ts", [String(PODS), String(PER_SECOND)]);
  try {
    const kubeconfig = await firstLine(server);
    return JSON.parse(await firstLine(run("informer-process.ts", [which, kubeconfig], ["--expose-gc"]))) as Figures;
  } finally {
    server.kill();
  }
}

function run(file: string, args: readonly string[], flags: readonly string[] = []): ChildProcess {
  const path = new URL(file, import.meta.url).pathname;
  return spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...flags, path, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function firstLine(child: ChildProcess): Promise<string> {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the process ended with ${code}`);
  });
  ended.catch(() => undefined);
  const [line] = (await Promise.race([once(lines, "line"), ended])) as [string];
  return line;
}
