import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { get } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatNumber, percentile } from "../measurement.ts";
import type { Report } from "./measure-server.ts";
import { Pace } from "./pace.ts";
import { cpuMs, residentMiB, type StartOptions, startServer, type Target } from "./server-process.ts";

const STARTS = 5;
/** A server frees the garbage of its start once it has been idle for ten seconds. */
const SETTLE_MS = 30_000;
const LOOK_EVERY_MS = 5;
const PACKAGE = join(import.meta.dirname, "../../dist/package/bin/typeplane.js");

/**
 * Measures the time from exec until /readyz succeeds, and the memory of an idle server, with all kinds of Kubernetes and with base core.
 * Unless stated otherwise, the data directory is new and Node's cache contains the code compiled by an earlier start.
 */
export async function measureStart(report: Report): Promise<void> {
  const pace = await Pace.start();
  await measureStarts(report, pace, { suffix: "", options: {}, mebibytes: 80, milliseconds: 250 });
  await measureStarts(report, pace, { suffix: ", base core", options: core({}), mebibytes: 70, milliseconds: 250 });
  if (existsSync(PACKAGE)) {
    const launcher = PACKAGE;
    const suffix = ", built package";
    await measureStarts(report, pace, { suffix, options: { launcher }, mebibytes: 80, milliseconds: 250 });
    const options = core({ launcher });
    await measureStarts(report, pace, { suffix: `${suffix}, base core`, options, mebibytes: 70, milliseconds: 250 });
  }
  await measureOther(report, pace);
  pace.stop();
}

const core = (options: StartOptions): StartOptions => ({ ...options, flags: [...UNLIMITED, "--base=core"] });
const UNLIMITED = ["--max-requests-inflight=0", "--max-mutating-requests-inflight=0"];

interface Measured {
  readonly suffix: string;
  readonly options: StartOptions;
  readonly mebibytes: number;
  readonly milliseconds: number;
}

async function measureStarts(report: Report, pace: Pace, measured: Measured): Promise<void> {
  const { suffix, options } = measured;
  const starts: Start[] = [];
  // The first start fills the cache of compiled code.
  await (await start(pace, options)).stop();
  for (let index = 0; index < STARTS; index++) {
    const one = await start(pace, options);
    starts.push(one);
    if (index === STARTS - 1) {
      const name = `resident memory, ready${suffix}`;
      report({ name, value: residentMiB(one.pids), unit: "MiB" });
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      const bar = { atMost: measured.mebibytes };
      report({ name: `resident memory, ready and idle${suffix}`, value: residentMiB(one.pids), unit: "MiB", bar });
    }
    await one.stop();
  }
  tell(report, `from exec to ready, new data directory${suffix}`, starts, { atMost: measured.milliseconds });
  const value = percentile(
    starts.map((one) => one.cpu),
    0.5,
  );
  report({ name: `processor time until ready${suffix}`, value, unit: "CPU ms" });
}

/** Measures the second start with the same data, and a start without compiled code. */
async function measureOther(report: Report, pace: Pace): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-bench-start-"));
  const dataDir = join(directory, "data");
  await (await start(pace, { dataDir })).stop();
  const again: Start[] = [];
  const cold: Start[] = [];
  for (let index = 0; index < STARTS; index++) {
    const second = await start(pace, { dataDir });
    again.push(second);
    await second.stop();
    const first = await start(pace, { environment: { NODE_COMPILE_CACHE: join(directory, `cache-${index}`) } });
    cold.push(first);
    await first.stop();
  }
  tell(report, "from exec to ready, same data directory", again);
  tell(report, "from exec to ready, new data directory, no compiled code", cold);
  rmSync(directory, { recursive: true, force: true });
}

function tell(report: Report, name: string, starts: readonly Start[], bar?: { readonly atMost: number }): void {
  const median = (of: (one: Start) => number): number => percentile(starts.map(of), 0.5);
  const unit = `ms (${formatNumber(median((one) => one.time))} as measured)`;
  report({ name, value: median((one) => one.corrected), unit, ...(bar !== undefined && { bar }) });
}

interface Start extends Target {
  /** Milliseconds from exec until /readyz succeeds. */
  readonly time: number;
  /** Corrected to an undisturbed machine. */
  readonly corrected: number;
  /** Processor time until /readyz succeeds, in milliseconds. */
  readonly cpu: number;
}

async function start(pace: Pace, options: StartOptions): Promise<Start> {
  const server = await startServer({ flags: UNLIMITED, ...options });
  const listening = performance.now();
  while (!(await isReady(server))) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  const time = server.startMs + performance.now() - listening;
  const cpu = cpuMs(server.pids);
  const corrected = (time * pace.undisturbed) / (await pace.now(server.pids[0] ?? 0));
  return { ...server, time, corrected, cpu };
}

function isReady({ url, headers, tls }: Target): Promise<boolean> {
  return new Promise((resolve, reject) => {
    get(`${url}/readyz`, { headers, ...tls }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode === 200));
    }).once("error", reject);
  });
}
