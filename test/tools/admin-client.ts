import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { Agent, request } from "node:https";
import { parse } from "yaml";

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
}

/** Sends HTTPS requests to the server of a kubeconfig, as its user. */
export class AdminClient {
  readonly #agent: Agent;
  readonly #server: URL;

  private constructor(agent: Agent, server: URL) {
    this.#agent = agent;
    this.#server = server;
  }

  /** `port` replaces the port of the kubeconfig, for example by that of a balancer. */
  static fromKubeconfig(path: string, port?: number): AdminClient {
    const { clusters, users } = parse(readFileSync(path, "utf8")) as Kubeconfig;
    const [cluster, user] = [clusters[0]?.cluster, users[0]?.user];
    const server = new URL(cluster?.server ?? "");
    if (port !== undefined) server.port = String(port);
    const agent = new Agent({
      keepAlive: true,
      ca: decode(cluster?.["certificate-authority-data"]),
      cert: decode(user?.["client-certificate-data"]),
      key: decode(user?.["client-key-data"]),
    });
    return new AdminClient(agent, server);
  }

  /** Rejects if the server dies before it has responded. */
  request(
    method: string,
    path: string,
    body?: object,
    contentType = "application/json",
    accept = "application/json",
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = body === undefined ? undefined : JSON.stringify(body);
      // Node sends the body of a DELETE correctly only if its length is set.
      const framing = sent !== undefined && { "content-type": contentType, "content-length": Buffer.byteLength(sent) };
      const headers = { accept, ...framing };
      const call = request(new URL(path, this.#server), { agent: this.#agent, method, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("error", reject);
        response.on("end", () => {
          if (!response.complete) reject(new Error("the answer was cut short"));
          else resolve({ status: response.statusCode ?? 0, body: parseAnswer(text), headers: response.headers });
        });
      });
      call.on("error", (cause: Error) => {
        const connection = call.reusedSocket ? "a connection that was used before" : "a new connection";
        reject(Object.assign(cause, { message: `${method} ${path} on ${connection}: ${cause.message}` }));
      });
      call.end(sent);
    });
  }

  /** Reads a watch line by line. Resolves when the server ends it, rejects it or dies, or when the signal fires. */
  watch(path: string, onEvent: (event: unknown) => void, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const call = request(new URL(path, this.#server), { agent: this.#agent, signal }, (response) => {
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

  /** Breaks every connection, including those of watches. */
  close(): void {
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
