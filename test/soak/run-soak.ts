import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Answer } from "../tools/admin-client.ts";
import { ServerProcess } from "../tools/server-process.ts";
import { act, observe, type Stage } from "./actors.ts";
import { comeAndGo } from "./cycles.ts";

export interface SoakOptions {
  readonly seconds: number;
  readonly actors?: number;
  /** By all actors together, at most. */
  readonly operationsPerSecond?: number;
  readonly watchers?: number;
  /** How often a namespace, a definition, a lease, an Event and a webhook begin to come and go. */
  readonly cycleMs?: number;
  readonly random?: () => number;
  /** A busy machine does little in a short run: it goes on, for up to ten times as long, until each of these was done. */
  readonly least?: readonly string[];
  /** Called about a hundred times in a run. */
  readonly progress?: (sample: SoakSample) => void;
  /** Called about fifty times in a run. */
  readonly measured?: (sample: LiveSample) => void;
}

export interface SoakSample {
  readonly elapsedSeconds: number;
  readonly operations: number;
  /** What the process holds itself: heap, buffers, stacks. */
  readonly anonymousMiB: number;
  /** Pages of the data file and of programs, which belong to the machine's cache and go when it wants room. */
  readonly mappedMiB: number;
  /** Open files and connections. */
  readonly descriptors: number;
}

export interface LiveSample {
  readonly elapsedSeconds: number;
  /** Heap and buffers. */
  readonly liveMiB: number;
  readonly heapMiB: number;
}

export interface SoakReport {
  readonly operations: Readonly<Record<string, number>>;
  readonly samples: readonly SoakSample[];
  /** What the server referenced after a collection of all garbage, about fifty times in a run. */
  readonly live: readonly LiveSample[];
  /** Answers that should not have been, each kind once. */
  readonly failures: readonly string[];
}

/** A server whose memory `runSoak` can measure. */
export function startSoakServer(directory: string, flags: readonly string[] = []): Promise<ServerProcess> {
  return ServerProcess.started({ directory, flags, imports: [join(import.meta.dirname, "memory-probe.ts")] });
}

/** Mixed load on a server of `startSoakServer` for a while. */
export async function runSoak(server: ServerProcess, options: SoakOptions): Promise<SoakReport> {
  const { seconds, actors = 8, operationsPerSecond = 150, watchers = 8, cycleMs = 2000 } = options;
  const { random = Math.random, least = [], progress, measured } = options;
  const namespace = "soak";
  await server.client.request("POST", "/api/v1/namespaces", { metadata: { name: namespace } });
  const ending = new AbortController();
  const operations: Record<string, number> = {};
  const failures = new Map<string, number>();
  const started = performance.now();
  const elapsed = (): number => (performance.now() - started) / 1000;
  const stage: Stage = {
    client: server.client,
    namespace,
    signal: ending.signal,
    random,
    done: (operation) => {
      operations[operation] = (operations[operation] ?? 0) + 1;
    },
    failed(operation, answer) {
      const failure = `${operation}: ${describeFailure(answer)}`;
      if (!failures.has(failure)) failures.set(failure, elapsed());
    },
  };
  const work = [
    ...Array.from({ length: actors }, () => act(stage, (actors / operationsPerSecond) * 1000)),
    ...Array.from({ length: watchers }, () => observe(stage)),
    comeAndGo(stage, cycleMs),
  ];
  const samples: SoakSample[] = [];
  const sample = (): void => {
    samples.push({
      elapsedSeconds: elapsed(),
      operations: Object.values(operations).reduce((sum, count) => sum + count, 0),
      ...memoryOf(server.pid),
      descriptors: readdirSync(`/proc/${server.pid}/fd`).length,
    });
    progress?.(samples.at(-1) as SoakSample);
  };
  const sampling = setInterval(sample, Math.max(200, seconds * 10));
  const probing = setInterval(() => process.kill(server.pid, "SIGUSR2"), Math.max(2000, seconds * 20));
  const live: LiveSample[] = [];
  const reading = setInterval(() => {
    const found = liveMemoryOf(server.log);
    for (const sample of found.slice(live.length)) {
      live.push({ elapsedSeconds: elapsed(), ...sample });
      measured?.(live.at(-1) as LiveSample);
    }
  }, 200);
  await pause(seconds * 1000);
  while (least.some((operation) => operations[operation] === undefined) && elapsed() < seconds * 10) await pause(100);
  for (const timer of [sampling, probing, reading]) clearInterval(timer);
  ending.abort();
  await Promise.all(work);
  sample();
  const told = [...failures].map(([failure, seconds]) => `${failure} (first after ${seconds.toFixed(0)} s)`);
  return { operations, samples, live, failures: told };
}

/**
 * How much a measure, such as the memory that the process holds itself, grew from the second quarter of a run, when caches and history
 * are full, to its last quarter, as a ratio of medians.
 */
export function growthOf(samples: readonly SoakSample[], measure: "anonymousMiB" | "descriptors"): number {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const median = (part: readonly SoakSample[]): number =>
    part.map((sample) => sample[measure]).sort((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0;
  return median(samples.slice(-quarter)) / median(samples.slice(quarter, 2 * quarter));
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

export interface Slope {
  readonly perHour: number;
  /** Twice its standard error: the slope is within this of the measured one, 19 times in 20. */
  readonly within: number;
}

/**
 * How fast referenced memory grows after the first quarter of a run, in which caches and history fill: the line of least squares, in
 * MiB per hour.
 */
export function slopeOf(live: readonly Pick<LiveSample, "elapsedSeconds" | "liveMiB">[]): Slope {
  const judged = live.slice(Math.floor(live.length / 4));
  const mean = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
  const hours = judged.map(({ elapsedSeconds }) => elapsedSeconds / 3600);
  const [time, memory] = [mean(hours), mean(judged.map(({ liveMiB }) => liveMiB))];
  const spread = hours.reduce((sum, hour) => sum + (hour - time) ** 2, 0);
  const perHour =
    judged.reduce((sum, { liveMiB }, at) => sum + ((hours[at] ?? 0) - time) * (liveMiB - memory), 0) / spread;
  const rest = judged.map(({ liveMiB }, at) => liveMiB - memory - perHour * ((hours[at] ?? 0) - time));
  const variance = rest.reduce((sum, each) => sum + each ** 2, 0) / (judged.length - 2);
  return { perHour, within: 2 * Math.sqrt(variance / spread) };
}

/** What the probe has written so far. */
function liveMemoryOf(log: string): Omit<LiveSample, "elapsedSeconds">[] {
  return [...log.matchAll(/^live memory: (\d+) (\d+)$/gm)].map(([, heap, external]) => ({
    heapMiB: Number(heap) / 2 ** 20,
    liveMiB: (Number(heap) + Number(external)) / 2 ** 20,
  }));
}

function memoryOf(pid: number): Pick<SoakSample, "anonymousMiB" | "mappedMiB"> {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const mebibytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
  return { anonymousMiB: mebibytes("RssAnon"), mappedMiB: mebibytes("RssFile") };
}

function describeFailure(answer: Answer | Error): string {
  if (answer instanceof Error) return answer.message;
  const { message } = answer.body as { message?: string };
  return `${answer.status} ${message}`;
}
