import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Answer } from "../tools/admin-client.ts";
import { ServerProcess } from "../tools/server-process.ts";
import { act, observe, type Stage } from "./actors.ts";
import { comeAndGo } from "./cycles.ts";

export interface SoakOptions {
  readonly seconds: number;
  readonly actors?: number;
  /** Maximum rate of all actors. */
  readonly operationsPerSecond?: number;
  readonly watchers?: number;
  /** Interval in which cycles start: each creates and deletes a namespace, a definition, a lease, an Event and a webhook. */
  readonly cycleMs?: number;
  readonly random?: () => number;
  /** Actions that must occur at least once. On a busy machine a run continues for up to ten times its duration until they have. */
  readonly least?: readonly string[];
  /** Called about a hundred times per run. */
  readonly progress?: (sample: SoakSample) => void;
  /** Called about fifty times per run. */
  readonly measured?: (sample: LiveSample) => void;
}

export interface SoakSample {
  readonly elapsedSeconds: number;
  readonly operations: number;
  /** Anonymous memory: heap, buffers, stacks. */
  readonly anonymousMiB: number;
  /** Mapped pages of the data file and of programs. They belong to the system's page cache, which can evict them. */
  readonly mappedMiB: number;
  /** Number of open files and connections. */
  readonly descriptors: number;
}

export interface LiveSample {
  readonly elapsedSeconds: number;
  /** Referenced heap and buffers. */
  readonly liveMiB: number;
  readonly heapMiB: number;
  /** Compiled code, a part of the heap. */
  readonly codeMiB: number;
  /** Number of writes in the last minute, whose events the server keeps. */
  readonly recentWrites: number;
}

export interface SoakReport {
  readonly operations: Readonly<Record<string, number>>;
  readonly samples: readonly SoakSample[];
  /** Memory that the server referenced after a full garbage collection, about fifty times per run. */
  readonly live: readonly LiveSample[];
  /** Unexpected responses, each kind only once. */
  readonly failures: readonly string[];
}

const WRITES = ["create", "update", "patch", "apply", "scale", "delete"];
/** Duration for which a server keeps events: long enough for clients that reconnect, short enough that memory shows leaks and not the load. */
export const HISTORY_SECONDS = 60;

/** Starts a server whose memory `runSoak` can measure. */
export function startSoakServer(directory: string, more: readonly string[] = []): Promise<ServerProcess> {
  const flags = [`--etcd-compaction-interval=${HISTORY_SECONDS}s`, ...more];
  const imports = ["memory-probe.ts", "fast-clock.ts"].map((module) => join(import.meta.dirname, module));
  return ServerProcess.started({ directory, flags, imports });
}

/** Runs mixed load on a server of `startSoakServer`. */
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
  const measuredBefore = liveMemoryOf(server.log).length;
  const written: { readonly at: number; readonly writes: number }[] = [];
  const reading = setInterval(() => {
    const found = liveMemoryOf(server.log);
    for (const sample of found.slice(measuredBefore + live.length)) {
      const [now, writes] = [elapsed(), WRITES.reduce((sum, name) => sum + (operations[name] ?? 0), 0)];
      written.push({ at: now, writes });
      const before = written.findLast(({ at }) => at <= now - HISTORY_SECONDS)?.writes ?? 0;
      live.push({ elapsedSeconds: now, ...sample, recentWrites: writes - before });
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
 * Returns how much a measure, such as anonymous memory, grew from the second quarter of a run, when caches and history are full, to its last
 * quarter, as a ratio of medians.
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
  /** Twice the standard error: the true slope is within this range of the measured one with a probability of 95 %. */
  readonly within: number;
}

/**
 * Returns the growth of referenced memory after the first quarter of a run, in which caches and history fill, in MiB per hour: a least
 * squares fit over time and the number of writes whose events are kept. A busy machine makes fewer writes, and memory that depends on their
 * number is not a leak.
 */
export function slopeOf(live: readonly Omit<LiveSample, "heapMiB" | "codeMiB">[]): Slope {
  const judged = live.slice(Math.floor(live.length / 4));
  const writes = judged.map(({ recentWrites }) => recentWrites);
  const hours = unexplained(
    judged.map(({ elapsedSeconds }) => elapsedSeconds / 3600),
    writes,
  );
  const memory = unexplained(
    judged.map(({ liveMiB }) => liveMiB),
    writes,
  );
  const spread = sumOf(hours, hours);
  const perHour = sumOf(hours, memory) / spread;
  const rest = memory.map((each, at) => each - perHour * (hours[at] ?? 0));
  return { perHour, within: 2 * Math.sqrt(sumOf(rest, rest) / (judged.length - 3) / spread) };
}

/** Returns the residuals of numbers without their mean and without what follows from other numbers. */
function unexplained(numbers: readonly number[], by: readonly number[]): number[] {
  const [own, others] = [centered(numbers), centered(by)];
  const spread = sumOf(others, others);
  const factor = spread === 0 ? 0 : sumOf(own, others) / spread;
  return own.map((each, at) => each - factor * (others[at] ?? 0));
}

function centered(numbers: readonly number[]): number[] {
  const mean = numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
  return numbers.map((each) => each - mean);
}

function sumOf(some: readonly number[], others: readonly number[]): number {
  return some.reduce((sum, each, at) => sum + each * (others[at] ?? 0), 0);
}

/** Returns the measurements that the probe has written so far. */
export function liveMemoryOf(log: string): Pick<LiveSample, "heapMiB" | "liveMiB" | "codeMiB">[] {
  return [...log.matchAll(/^live memory: (\d+) (\d+) (\d+)$/gm)].map(([, heap, external, code]) => ({
    heapMiB: Number(heap) / 2 ** 20,
    liveMiB: (Number(heap) + Number(external)) / 2 ** 20,
    codeMiB: Number(code) / 2 ** 20,
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
