import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Pace } from "./pace.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const TOKEN = "bench";
const START_LIMIT_MS = 60_000;
/** Unit of the counters in `/proc/stat`, the same on every Linux. */
const MS_PER_TICK = 10;

/** Event loop delay in milliseconds. */
export interface Delay {
  readonly median: number;
  readonly p99: number;
  readonly longest: number;
}

/** A server under load: its address, credentials, and measurements. */
export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: { readonly ca?: string | Buffer; readonly cert?: string | Buffer; readonly key?: string | Buffer };
  /** Processes whose processor time counts; empty for a server that was not started here. */
  readonly pids: readonly number[];
  /** Speed of its cores during the measurement; absent if it is not measured. */
  readonly pace?: Pace;
  /** Returns the event loop delays since the last call. Available only for servers that the benchmark starts. */
  eventLoopDelay?(): Promise<Delay>;
  /** Returns what the recorder in the server has recorded since the last call. */
  recorded?(): Promise<number[]>;
  stop(): Promise<void>;
}

/** Returns the environment that `make serve` passes to the server process only: `A=1 B=2`. */
function serverEnvironment(): Record<string, string> {
  const settings = (process.env.SERVER_ENV ?? "").split(" ").filter((each) => each.includes("="));
  return Object.fromEntries(settings.map((each) => each.split("=", 2) as [string, string]));
}

export interface StartOptions {
  readonly dataDir?: string;
  readonly probe?: boolean;
  /** A script that is loaded into the server and writes JSON to the file `BENCH_DELAY_FILE` on SIGUSR2. */
  readonly recorder?: URL;
  /** Users besides the administrator. The token of each is its name. */
  readonly tenants?: readonly string[];
  /** Replace the default flags, which disable the limits of requests in flight. */
  readonly flags?: readonly string[];
  /** Replaces the launcher of this repository. */
  readonly launcher?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts a server with its own data directory. Also returns the time from exec until it listens. */
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

/** Node reads these certificates at the start, and their number depends on the machine: 121 of them take 13 ms and 0.8 MiB. */
const WITHOUT = { NODE_EXTRA_CA_CERTS: undefined };

async function askForRecord<T>(child: ChildProcess, file: string): Promise<T> {
  rmSync(file, { force: true });
  child.kill("SIGUSR2");
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 5));
  return JSON.parse(readFileSync(file, "utf8")) as T;
}

/** Starts a script of this repository in its own process. The script prints its address when it listens. */
export async function startScript(
  script: string,
  args: string[],
): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return { url: await readAddress(child), pid: child.pid as number, stop: () => ended(child) };
}

/** Known processor time of threads that have ended, by process. */
const endedThreads = new Map<number, number>();

/**
 * Returns the total processor time of all threads of the processes, in milliseconds. It is exact to nanoseconds for running threads. That of
 * ended threads follows from the total of the process, which has a resolution of 10 ms.
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
    // A thread may end meanwhile.
    if (existsSync(file)) nanoseconds += Number(readFileSync(file, "utf8").split(" ")[0]);
  }
  return nanoseconds / 1e6;
}

/** Returns user plus system time in `/proc/<pid>/stat`, rounded down to ticks. */
function processMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  return (Number(user) + Number(system)) * MS_PER_TICK;
}

/** Returns the steal time of the processors, which other machines used, in milliseconds; 0 if it is not available. */
export function stolenMs(): number {
  if (!existsSync("/proc/stat")) return 0;
  const [, , , , , , , , steal] = readFileSync("/proc/stat", "utf8").split("\n", 1)[0]?.split(/\s+/) ?? [];
  return Number(steal ?? 0) * MS_PER_TICK;
}

/** Returns the resident memory of the processes, in MiB. */
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
