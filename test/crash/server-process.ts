import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, type RequestOptions, request } from "node:https";
import { join } from "node:path";
import { parse } from "yaml";

const MAIN = join(import.meta.dirname, "../../runtime/main.ts");

export interface ServerAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A real server in a process of its own, over data in a directory, spoken to as its administrator. */
export class ServerProcess {
  readonly #directory: string;
  readonly #flags: readonly string[];
  #child: ChildProcess | undefined;
  #target: RequestOptions = {};

  constructor(directory: string, flags: readonly string[] = []) {
    this.#directory = directory;
    this.#flags = flags;
  }

  /** Starts the server, again over the same data if it ran before, and waits until it serves. */
  async start(): Promise<void> {
    const kubeconfig = join(this.#directory, "kubeconfig");
    const flags = [
      `--data-dir=${join(this.#directory, "data")}`,
      `--cert-dir=${join(this.#directory, "pki")}`,
      `--kubeconfig-out=${kubeconfig}`,
      "--secure-port=0",
      ...this.#flags,
    ];
    const args = ["--disable-warning=ExperimentalWarning", MAIN, "serve", ...flags];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
    this.#child = child;
    const url = await servedUrl(child);
    const { clusters, users } = parse(readFileSync(kubeconfig, "utf8")) as Kubeconfig;
    const [cluster, user] = [clusters[0]?.cluster, users[0]?.user];
    const agent = new Agent({
      keepAlive: true,
      ca: decode(cluster?.["certificate-authority-data"]),
      cert: decode(user?.["client-certificate-data"]),
      key: decode(user?.["client-key-data"]),
    });
    this.#target = { agent, host: url.hostname, port: url.port };
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, "close");
    child.kill("SIGKILL");
    await closed;
    (this.#target.agent as Agent | undefined)?.destroy();
  }

  /** Rejects when the server dies before it has answered. */
  request(method: string, path: string, body?: object): Promise<ServerAnswer> {
    return new Promise((resolve, reject) => {
      const headers = body === undefined ? {} : { "content-type": "application/json" };
      const call = request({ ...this.#target, method, path, headers }, (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on("error", reject);
        response.on("end", () => {
          if (response.complete) resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as unknown });
          else reject(new Error("the answer was cut short"));
        });
      });
      call.on("error", reject);
      call.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Follows a watch line by line; resolves when the server dies, ends it or refuses it. */
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
}

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
}

function decode(data: string | undefined): Buffer {
  return Buffer.from(data ?? "", "base64");
}

/** The address that the server logs once it serves. */
function servedUrl(child: ChildProcess): Promise<URL> {
  return new Promise((resolve, reject) => {
    let log = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      log += chunk.toString();
      const [url] = /https:\/\/[\d.]+:\d+/.exec(log) ?? [];
      if (url !== undefined) resolve(new URL(url));
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${log}`)));
  });
}
