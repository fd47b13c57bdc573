import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { AdminClient } from "./admin-client.ts";

const ROOT = join(import.meta.dirname, "../..");
/** `PACKAGE=dist/package` runs the built package, which starts with half the CPU time, instead of the sources. */
const LAUNCHER = join(ROOT, process.env.PACKAGE ?? "", "bin/typeplane.js");
/** Maximum time until the server is ready, for busy machines. */
const READY_MS = 300_000;

export interface ServerOptions {
  /** Contains data, keys and the kubeconfig. Servers over one etcd share `certDir` to accept the same clients. */
  readonly directory: string;
  readonly certDir?: string;
  /** Additional flags of `typeplane serve`. */
  readonly flags?: readonly string[];
  /** Launcher of a copy of the project, instead of this one. */
  readonly launcher?: string;
  /** Path of the Node.js that runs the server. Defaults to the current one. */
  readonly node?: string;
  /** Working directory of the server, whose project it serves. */
  readonly cwd?: string;
  /** Maximum size of files that the server may write, in kilobytes, which simulates a full disk. */
  readonly fileLimit?: number;
  /** umask of the server, as in the shell: `0` allows all permissions. */
  readonly umask?: string;
  /** Maximum number of open files and connections of the server. */
  readonly openFiles?: number;
  /** Modules that the process loads before the server. */
  readonly imports?: readonly string[];
}

/** A real server in its own process, with data in a directory. */
export class ServerProcess {
  readonly kubeconfig: string;
  readonly #options: ServerOptions;
  #child: ChildProcess | undefined;
  #client: AdminClient | undefined;
  #log = "";
  /** A free port at the first start, then kept, so that clients find the server again after a restart. */
  #port = 0;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.kubeconfig = join(options.directory, "kubeconfig");
  }

  static async started(options: ServerOptions): Promise<ServerProcess> {
    const server = new ServerProcess(options);
    await server.start();
    return server;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get port(): number {
    return this.#port;
  }

  /** Client of the administrator. It remains valid when the server is restarted. */
  get client(): AdminClient {
    this.#client ??= AdminClient.fromKubeconfig(this.kubeconfig);
    return this.#client;
  }

  /** Log of the current process. */
  get log(): string {
    return this.#log;
  }

  /** Process IDs of the current workers. A later worker replaces an earlier one with the same number. */
  get workers(): readonly number[] {
    const found = this.#log.matchAll(/worker (\d+) serves","pid":(\d+)/g);
    return [...new Map([...found].map(([, worker, pid]) => [worker, Number(pid)])).values()];
  }

  /** Starts the server and waits until it is ready. If it ran before, uses the same data and the same port. */
  async start(): Promise<void> {
    const {
      directory,
      certDir = join(directory, "pki"),
      flags = [],
      fileLimit,
      umask,
      openFiles,
      imports = [],
      launcher = LAUNCHER,
      node = process.execPath,
      cwd,
    } = this.#options;
    const preloads = imports.map((path) => `--import=${pathToFileURL(path)}`);
    const command = [node, "--disable-warning=ExperimentalWarning", ...preloads, launcher, "serve"];
    command.push(
      `--data-dir=${join(directory, "data")}`,
      `--cert-dir=${certDir}`,
      `--kubeconfig-out=${this.kubeconfig}`,
      `--secure-port=${this.#port}`,
      ...flags,
    );
    const limit = fileLimit === undefined ? "" : `ulimit -f ${fileLimit} && `;
    const openLimit = openFiles === undefined ? "" : `ulimit -n ${openFiles} && `;
    const mask = umask === undefined ? "" : `umask ${umask} && `;
    const child = spawn("bash", ["-c", `${limit}${openLimit}${mask}exec "$@"`, "serve", ...command], {
      stdio: ["ignore", "ignore", "pipe"],
      ...(cwd !== undefined && { cwd }),
    });
    this.#child = child;
    this.#log = "";
    this.#port = await new Promise((resolve, reject) => {
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        this.#log += text;
        const [, port] = /serving on https:\/\/[\d.]+:(\d+)/.exec(this.#log) ?? [];
        if (port !== undefined) resolve(Number(port));
      });
      child.once("close", (code) => reject(new Error(`the server ended with ${code}: ${this.#log}`)));
    });
    await this.#ready(child);
  }

  /** Waits for readiness. Objects that the server creates at its start, such as the default namespace, exist once `/readyz` returns 200. */
  async #ready(child: ChildProcess): Promise<void> {
    const end = Date.now() + READY_MS;
    while (child.exitCode === null && child.signalCode === null) {
      const answer = await this.client.request("GET", "/readyz").catch(() => undefined);
      if (answer?.status === 200) return;
      if (Date.now() > end) throw new Error(`the server is not ready after ${READY_MS / 1000} s: ${this.#log}`);
      await setTimeout(20);
    }
  }

  /** Exit code after the process has ended; null if a signal ended it. */
  get ended(): Promise<number | null> {
    const child = this.#child as ChildProcess;
    if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
    return once(child, "close").then(([code]) => code as number | null);
  }

  /** Kills the server, as in a crash. */
  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  /** Stops the server gracefully: running requests are completed, watches are ended. */
  stop(): Promise<void> {
    return this.#end("SIGTERM");
  }

  async #end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, "close");
    child.kill(signal);
    await closed;
  }
}
