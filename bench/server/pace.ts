import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";

const GAUGE = fileURLToPath(new URL("./pace-gauge.ts", import.meta.url));
/** Initial measurements per core: enough for one without disturbance. */
const FIRST_LOOKS = 100;

/**
 * Current speed of the cores of this machine. Where several machines share a processor, the same work takes up to twice its processor time,
 * and no counter shows it. Only a fixed piece of work, done on the same core just before and after, does.
 */
export class Pace {
  readonly #gauges: readonly Gauge[];
  #shortest = Number.POSITIVE_INFINITY;

  private constructor(gauges: readonly Gauge[]) {
    this.#gauges = gauges;
  }

  /** Starts a gauge on each core. If processes cannot be pinned to a core, the pace is assumed to be constant. */
  static async start(): Promise<Pace> {
    const canPin = spawnSync("taskset", ["--version"]).status === 0;
    const pace = new Pace(canPin ? cpus().map((_, core) => new Gauge(core)) : []);
    for (let look = 0; look < FIRST_LOOKS; look++) {
      for (const gauge of pace.#gauges) await pace.#read(gauge);
    }
    return pace;
  }

  /** Returns the current duration of the fixed work on the core that a process last used; 1 if it is unknown. */
  async now(pid: number): Promise<number> {
    const gauge = this.#gauges[lastCore(pid)];
    return gauge === undefined ? 1 : this.#read(gauge);
  }

  /** Returns the shortest duration of the fixed work so far, on any core. */
  get undisturbed(): number {
    return this.#gauges.length === 0 ? 1 : this.#shortest;
  }

  stop(): void {
    for (const gauge of this.#gauges) gauge.stop();
  }

  async #read(gauge: Gauge): Promise<number> {
    const taken = await gauge.read();
    this.#shortest = Math.min(this.#shortest, taken);
    return taken;
  }
}

class Gauge {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ready: Promise<string>;
  #answered: (line: string) => void = () => undefined;
  #failed: (error: Error) => void = () => undefined;

  constructor(core: number) {
    this.#child = spawn("taskset", ["-c", String(core), process.execPath, GAUGE], { stdio: "pipe" });
    this.#ready = this.#next();
    this.#child.stdout.on("data", (line: Buffer) => this.#answered(line.toString("utf8")));
    this.#child.on("exit", () => this.#failed(new Error(`the gauge of core ${core} ended`)));
  }

  async read(): Promise<number> {
    await this.#ready;
    const answer = this.#next();
    this.#child.stdin.write("\n");
    return Number(await answer);
  }

  stop(): void {
    this.#child.stdin.end();
  }

  #next(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#failed = reject;
    });
  }
}

/** Returns the processor number in `/proc/<pid>/stat`, counted from the end of the process name, which may contain any character. */
function lastCore(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[36]);
}
