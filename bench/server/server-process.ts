import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Pace } from "./pace.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const TOKEN = "bench";
const START_LIMIT_MS = 60_000;
/** Of the counters of `/proc/stat`: the same on every Linux. */
const MS_PER_TICK = 10;

/** Milliseconds. */
export interface Delay {
  readonly median: number;
  readonly p99: number;
  readonly longest: number;
}

/** A server under load: where it is, how to be let in, and what it costs. */
export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: { readonly ca?: string | Buffer; readonly cert?: string | Buffer; readonly key?: string | Buffer };
  /** Processes whose time counts; none when the server is somebody else's. */
  readonly pids: readonly number[];
  /** How fast its cores are while it is measured; absent where nobody looks. */
  readonly pace?: Pace;
  /** How long its event loop was busy at a time since this was last asked; only servers of ours tell. */
  eventLoopDelay?(): Promise<Delay>;
  /** What the recorder of the server has recorded since this was last asked. */
  recorded?(): Promise<number[]>;
  stop(): Promise<void>;
}

/** What `make serve` gives a server to go with, and nobody else: `A=1 B=2`. */
function serverEnvironment(): Record<string, string> {
  const settings = (process.env.SERVER_ENV ?? "").split(" ").filter((each) => each.includes("="));
  return Object.fromEntries(settings.map((each) => each.split("=", 2) as [string, string]));
}

export interface StartOptions {
  readonly dataDir?: string;
  readonly probe?: boolean;
  /** A script that is loaded into the server and writes JSON to the file `BENCH_DELAY_FILE` when it gets SIGUSR2. */
  readonly recorder?: URL;
  /** Users beside the administrator; the token of each is its name. */
  readonly tenants?: readonly string[];
  /** Instead of those that switch the limits of requests in flight off. */
  readonly flags?: readonly string[];
  /** Instead of that of this repository. */
  readonly launcher?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A fresh server on its own data directory, and how long it took from exec until it listened. */
export async function startServer(
  options: StartOptions = {},
): Promise<Target & { readonly startMs: number; readonly startCpuMs: number }> {
  const dir = mkdtempSync(join(tmpdir(), "typeplane-bench-"));
  const tenants = (options.tenants ?? []).map((name) => `${name},${name},${name}\n`);
  writeFileSync(join(dir, "tokens.csv"), `${TOKEN},bench,1,"system:masters"\n${tenants.join("")}`);
  const args = [
    options.launcher ?? join(root, "bin/typeplane.js"),
    "serve",
    "--secure-port=0",
    `--data-dir=${options.dataDir ?? join(dir, "data")}`,
    `--cert-dir=${join(dir, "pki")}`,
    `--kubeconfig-out=${join(dir, "kubeconfig")}`,
    `--token-auth-file=${join(dir, "tokens.csv")}`,
    ...(options.flags ?? ["--max-requests-inflight=0", "--max-mutating-requests-inflight=0"]),
  ];
  const started = performance.now();
  const delayFile = join(dir, "delay.json");
  const recorder = options.probe === true ? new URL("./delay-probe.ts", import.meta.url) : options.recorder;
  const probe = recorder === undefined ? [] : [`--import=${recorder.href}`];
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...probe, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...WITHOUT, ...serverEnvironment(), ...options.environment, BENCH_DELAY_FILE: delayFile },
  });
  const url = await readAddress(child);
  const startMs = performance.now() - started;
  const pid = child.pid as number;
  return {
    url,
    startMs,
    startCpuMs: cpuMs([pid]),
    headers: { authorization: `Bearer ${TOKEN}` },
    tls: { ca: readFileSync(join(dir, "pki", "ca.crt")) },
    pids: [pid],
    ...(options.probe === true && { eventLoopDelay: () => askForRecord<Delay>(child, delayFile) }),
    ...(options.recorder !== undefined && { recorded: () => askForRecord<number[]>(child, delayFile) }),
    stop: async () => {
      await ended(child);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Node reads these certificates at the start, however many this machine has: 121 of them take 13 ms and 0.8 MiB. */
const WITHOUT = { NODE_EXTRA_CA_CERTS: undefined };

async function askForRecord<T>(child: ChildProcess, file: string): Promise<T> {
  rmSync(file, { force: true });
  child.kill("SIGUSR2");
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 5));
  return JSON.parse(readFileSync(file, "utf8")) as T;
}

/** Starts a script of ours as a process of its own; it prints its address when it listens. */
export async function startScript(
  script: string,
  args: string[],
): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return { url: await readAddress(child), pid: child.pid as number, stop: () => ended(child) };
}

/** Processor time of threads that have ended, as far as it is known, by process. */
const endedThreads = new Map<number, number>();

/**
 * Processor time of all threads of the processes so far, in milliseconds. Running threads tell nanoseconds; what ended ones have taken
 * is known to 10 ms from the time of the whole process.
 */
export function cpuMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const running = runningThreadsMs(pid);
    const ended = Math.max(endedThreads.get(pid) ?? 0, processMs(pid) - running);
    endedThreads.set(pid, ended);
    return sum + running + ended;
  }, 0);
}

function runningThreadsMs(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const file = `/proc/${pid}/task/${thread}/schedstat`;
    // A thread may end in between.
    if (existsSync(file)) nanoseconds += Number(readFileSync(file, "utf8").split(" ")[0]);
  }
  return nanoseconds / 1e6;
}

/** User and system time in `/proc/<pid>/stat`, rounded down to ticks. */
function processMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  return (Number(user) + Number(system)) * MS_PER_TICK;
}

/** How long other machines have had the processors of this one, in milliseconds; 0 where nobody tells. */
export function stolenMs(): number {
  if (!existsSync("/proc/stat")) return 0;
  const [, , , , , , , , steal] = readFileSync("/proc/stat", "utf8").split("\n", 1)[0]?.split(/\s+/) ?? [];
  return Number(steal ?? 0) * MS_PER_TICK;
}

/** Resident memory of the processes, in MiB. */
export function residentMiB(pids: readonly number[]): number {
  let kilobytes = 0;
  for (const pid of pids)
    kilobytes += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  return kilobytes / 1024;
}

function readAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    const timer = setTimeout(
      () => reject(new Error(`not ready after ${START_LIMIT_MS} ms:\n${output}`)),
      START_LIMIT_MS,
    );
    const read = (chunk: Buffer) => {
      output += chunk.toString("utf8");
      const address = /https:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", (code) => reject(new Error(`ended with ${code} before it was ready:\n${output}`)));
  });
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}
