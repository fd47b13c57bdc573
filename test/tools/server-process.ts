import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, type RequestOptions, request } from "node:https";
import { join } from "node:path";
import { parse } from "yaml";

const LAUNCHER = join(import.meta.dirname, "../../bin/typeplane.js");

export interface ServerAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface ServerOptions {
  /** Keeps data, keys and the kubeconfig. Servers over one etcd share `certDir` to know the same clients. */
  readonly directory: string;
  readonly certDir?: string;
  /** More flags of `typeplane serve`. */
  readonly flags?: readonly string[];
}

/** A real server in a process of its own, over data in a directory, spoken to as its administrator. */
export class ServerProcess {
  readonly kubeconfig: string;
  readonly #options: ServerOptions;
  #child: ChildProcess | undefined;
  #agent = new Agent();
  #target: RequestOptions = {};
  /** Free at the first start, then kept, so that clients find the server again after a restart. */
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

  /** Starts the server, again over the same data and on the same port if it ran before, and waits until it serves. */
  async start(): Promise<void> {
    const { directory, certDir = join(directory, "pki"), flags = [] } = this.#options;
    const args = [
      `--data-dir=${join(directory, "data")}`,
      `--cert-dir=${certDir}`,
      `--kubeconfig-out=${this.kubeconfig}`,
      `--secure-port=${this.#port}`,
      ...flags,
    ];
    this.#child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", LAUNCHER, "serve", ...args], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const url = await servedUrl(this.#child);
    this.#port = Number(url.port);
    const { clusters, users } = parse(readFileSync(this.kubeconfig, "utf8")) as Kubeconfig;
    const [cluster, user] = [clusters[0]?.cluster, users[0]?.user];
    this.#agent = new Agent({
      keepAlive: true,
      ca: decode(cluster?.["certificate-authority-data"]),
      cert: decode(user?.["client-certificate-data"]),
      key: decode(user?.["client-key-data"]),
    });
    this.#target = { agent: this.#agent, host: url.hostname, port: url.port };
  }

  /** Dies at once, as in a crash. */
  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  /** Stops as an operator stops it: requests under way are finished, watches ended. */
  stop(): Promise<void> {
    return this.#end("SIGTERM");
  }

  /** Rejects when the server dies before it has answered. */
  request(method: string, path: string, body?: object, contentType = "application/json"): Promise<ServerAnswer> {
    return new Promise((resolve, reject) => {
      const headers = body === undefined ? {} : { "content-type": contentType };
      const call = request({ ...this.#target, method, path, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("error", reject);
        response.on("end", () => {
          if (!response.complete) reject(new Error("the answer was cut short"));
          else resolve({ status: response.statusCode ?? 0, body: parseAnswer(text) });
        });
      });
      call.on("error", reject);
      call.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Follows a watch line by line. Resolves when the server ends it, refuses it or dies. */
  watch(path: string, onEvent: (event: unknown) => void): Promise<void> {
    return new Promise((resolve) => {
      const call = request({ ...this.#target, path }, (response) => {
        let rest = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          const lines = (rest + chunk).split("\n");
          rest = lines.pop() ?? "";
          if (response.statusCode === 200) for (const line of lines) onEvent(JSON.parse(line) as unknown);
        });
        response.on("error", () => undefined);
        response.on("close", resolve);
      });
      call.on("error", () => resolve());
      call.end();
    });
  }

  async #end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, "close");
    child.kill(signal);
    await closed;
    this.#agent.destroy();
  }
}

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
}

function decode(data: string | undefined): Buffer {
  return Buffer.from(data ?? "", "base64");
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The address that the server logs once it serves. */
function servedUrl(child: ChildProcess): Promise<URL> {
  return new Promise((resolve, reject) => {
    let log = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      log += chunk.toString();
      const [, url] = /serving on (https:\/\/[\d.]+:\d+)/.exec(log) ?? [];
      if (url !== undefined) resolve(new URL(url));
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${log}`)));
  });
}
