import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "yaml";
import { ServerProcess } from "../tools/server-process.ts";
import type { Endpoint } from "./connection.ts";
import type { RequestInput, User } from "./input.ts";
import { KeepAliveClient } from "./keep-alive-client.ts";
import { Kubelet } from "./kubelet.ts";

const TOKENS: Readonly<Record<Exclude<User, "anonymous">, string>> = {
  admin: 'admin-token,admin,1,"system:masters"',
  "tenant-a": "tenant-a-token,tenant-a,2",
  "tenant-b": "tenant-b-token,tenant-b,3",
  node: 'node-token,system:node:n1,4,"system:nodes"',
  nobody: "nobody-token,nobody,5",
};

/** Enables everything that reads input. */
const FLAGS = ["--feature-gates=CBORServingAndStorage=true"];

/** Long timeout of the administrator's requests, for machines that are busy with other work. */
const PATIENCE_MS = 150_000;

const RECORDER = join(import.meta.dirname, "record-turns.ts");

/** An event loop turn that was late. It waited for a processor for the part of `lateMs` that `processorMs` does not include. */
export interface LateTurn {
  readonly lateMs: number;
  readonly processorMs: number;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** The server under attack, in its own process, and the administrator's access to it. */
export class Target {
  readonly server: ServerProcess;
  /** Kubelet of the node that runs pods. */
  readonly kubelet: Kubelet;
  readonly #directory: string;
  #administrator: KeepAliveClient | undefined;
  #authority = "";
  /** Processes that the server has started for serving, with `--workers`. */
  #workers: readonly number[] = [];

  private constructor(directory: string, server: ServerProcess, kubelet: Kubelet) {
    this.#directory = directory;
    this.kubelet = kubelet;
    this.server = server;
  }

  static async started(flags: readonly string[] = []): Promise<Target> {
    const directory = mkdtempSync(join(tmpdir(), "typeplane-hostile-"));
    const tokens = join(directory, "tokens.csv");
    writeFileSync(tokens, `${Object.values(TOKENS).join("\n")}\n`, { mode: 0o600 });
    const kubelet = await Kubelet.started(directory);
    const server = new ServerProcess({
      directory,
      flags: [`--token-auth-file=${tokens}`, ...FLAGS, ...kubelet.flags, ...flags],
    });
    const target = new Target(directory, server, kubelet);
    await target.restart();
    return target;
  }

  /** Starts the server. Uses the same data if it ran before. */
  async restart(): Promise<void> {
    await this.server.kill();
    this.#administrator?.close();
    // The state of a frozen server can only be requested from outside.
    process.env.NODE_OPTIONS = `--report-on-signal --report-directory=${this.#directory} --import=${RECORDER}`;
    process.env.HOSTILE_TURNS = join(this.#directory, "turns");
    await this.server.start();
    process.env.NODE_OPTIONS = "";
    const { clusters } = parse(readFileSync(this.server.kubeconfig, "utf8")) as {
      readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
    };
    this.#authority = Buffer.from(clusters[0]?.cluster["certificate-authority-data"] ?? "", "base64").toString();
    this.#administrator = this.client();
    this.#workers = childrenOf(this.server.pid);
  }

  get endpoint(): Endpoint {
    return { port: this.server.port, authority: this.#authority };
  }

  client(): KeepAliveClient {
    return new KeepAliveClient(this.endpoint, (user) => (user === "anonymous" ? undefined : `Bearer ${user}-token`));
  }

  /** Whether all processes of the server are running. */
  get alive(): boolean {
    return this.#processes.every(isAlive);
  }

  get #processes(): readonly number[] {
    return [this.server.pid, ...this.#workers];
  }

  /** Sends a request as administrator. Rejects if there is no response in time. */
  async request(method: string, path: string, body?: object, type = "application/json"): Promise<Answer> {
    const request: RequestInput = {
      as: "admin",
      method,
      target: path,
      ...(body && { headers: [["Content-Type", type]], body: Buffer.from(JSON.stringify(body)) }),
    };
    const { status, text } = await (this.#administrator as KeepAliveClient).read(request, PATIENCE_MS);
    return { status, body: parsed(text) };
  }

  /** Returns the JavaScript stack of the server, even if it is in an endless loop; empty if the server does not report it. */
  async stack(): Promise<string> {
    process.kill(this.server.pid, "SIGUSR2");
    for (let attempt = 0; attempt < 40; attempt++) {
      await sleep(100);
      const file = readdirSync(this.#directory).find((name) => name.startsWith("report."));
      if (file === undefined) continue;
      try {
        const report = JSON.parse(readFileSync(join(this.#directory, file), "utf8")) as {
          readonly javascriptStack: { readonly message?: string; readonly stack?: readonly string[] };
        };
        rmSync(join(this.#directory, file));
        return (report.javascriptStack.stack ?? []).slice(0, 12).join("\n");
      } catch {
        // The report is still being written.
      }
    }
    return "";
  }

  /** Time when the last late turn of the event loop ended. */
  get lastLateTurn(): number {
    return statSync(join(this.#directory, "turns"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  }

  /** Returns the late event loop turns since the last call. Turns of less than 30 ms are not recorded. */
  takeLateTurns(aboveMs = 100): LateTurn[] {
    const file = join(this.#directory, "turns");
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    rmSync(file);
    return lines
      .map((line) => {
        const [lateMs = 0, processorMs = 0] = line.split(" ").map(Number);
        return { lateMs, processorMs };
      })
      .filter(({ lateMs }) => lateMs > aboveMs);
  }

  /** Processor time of the threads that run event loops. */
  get mainThreadMs(): number {
    if (!this.alive) return 0;
    return this.#sum((pid) => Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6);
  }

  get descriptors(): number {
    return this.#sum((pid) => readdirSync(`/proc/${pid}/fd`).length);
  }

  get residentMiB(): number {
    return this.#sum((pid) => {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
    });
  }

  #sum(measure: (pid: number) => number): number {
    return this.#processes.reduce((sum, pid) => sum + measure(pid), 0);
  }

  async stop(): Promise<void> {
    this.#administrator?.close();
    await this.server.kill();
    await this.kubelet.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // Dead, but still a zombie process.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

function childrenOf(pid: number): number[] {
  const listed = readdirSync(`/proc/${pid}/task`).map((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8"),
  );
  return listed.join(" ").split(" ").filter(Boolean).map(Number);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
