import { setTimeout as sleep } from "node:timers/promises";
import { scrape, total } from "./metrics.ts";
import type { Target } from "./target.ts";

/** Resources that an idle server uses. */
export interface Baseline {
  readonly descriptors: number;
  readonly longRunning: number;
  readonly series: number;
  readonly residentMiB: number;
}

/** Maximum time until a server closes connections of silent peers: the limits of kube-apiserver, with a margin. */
const LET_GO_MS = 45_000;
const MORE_DESCRIPTORS = 12;
/** Maximum number of metric series: every verb of every resource in every version, with its buckets. */
const MOST_SERIES = 250_000;
/** Allowed memory growth: histories, caches, and code that is loaded on first use. */
const MORE_MIB = 400;

export async function measure(target: Target): Promise<Baseline> {
  const samples = await scrape(target);
  return {
    descriptors: target.descriptors,
    longRunning: total(samples, "apiserver_longrunning_requests"),
    series: samples.size,
    residentMiB: target.residentMiB,
  };
}

/** Returns what differs from the baseline after the server had time to recover. */
export async function checkAfterRound(target: Target, before: Baseline): Promise<string[]> {
  if (!target.alive) return ["the process has ended"];
  const end = performance.now() + LET_GO_MS;
  let problems: string[] = [];
  do {
    const now = await measure(target).catch((error: Error) => error);
    if (now instanceof Error) problems = [now.message];
    else problems = compare(before, now);
    if (problems.length > 0) await sleep(1000);
  } while (problems.length > 0 && performance.now() < end);
  return problems;
}

function compare(before: Baseline, now: Baseline): string[] {
  const problems: string[] = [];
  if (now.descriptors > before.descriptors + MORE_DESCRIPTORS) {
    problems.push(`${now.descriptors} descriptors are open; ${before.descriptors} were before`);
  }
  if (now.longRunning > before.longRunning) {
    problems.push(`${now.longRunning} long-running requests are counted; ${before.longRunning} were before`);
  }
  if (now.series > MOST_SERIES) problems.push(`/metrics has ${now.series} series`);
  if (now.residentMiB > before.residentMiB + MORE_MIB) {
    problems.push(`${now.residentMiB.toFixed(0)} MiB are held; ${before.residentMiB.toFixed(0)} were before`);
  }
  return problems;
}
