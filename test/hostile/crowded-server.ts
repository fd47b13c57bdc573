import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { ServerProcess } from "../tools/server-process.ts";

/** Users that are not administrators. All of them may do everything, so that only budgets separate them. */
const TENANTS = ["alice", "bob"] as const;
export type Tenant = (typeof TENANTS)[number];

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A server in its own process that several tenants share. */
export class CrowdedServer {
  readonly #directory = mkdtempSync(join(tmpdir(), "typeplane-hostile-"));
  readonly #flags: readonly string[];
  readonly #sessions: ClientHttp2Session[] = [];
  #server: ServerProcess | undefined;

  constructor(flags: readonly string[]) {
    this.#flags = flags;
  }

  async start(): Promise<void> {
    const tokens = join(this.#directory, "tokens.csv");
    const lines = [...TENANTS.map((name) => `${name}-token,${name},${name}\n`)];
    lines.push('node-token,system:node:n1,n1,"system:nodes"\n');
    writeFileSync(tokens, lines.join(""));
    this.#server = await ServerProcess.started({
      directory: this.#directory,
      flags: [`--token-auth-file=${tokens}`, "--authorization-mode=AlwaysAllow", "--controllers=false", ...this.#flags],
    });
  }

  async stop(): Promise<void> {
    for (const session of this.#sessions) session.destroy();
    await this.#server?.kill();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  get process(): ServerProcess {
    if (this.#server === undefined) throw new Error("the server is not started");
    return this.#server;
  }

  /** Resident memory of the server in bytes. */
  get memory(): number {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.process.pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) * 1024;
  }

  /** Whether the process is still running. */
  get alive(): boolean {
    try {
      return process.kill(this.process.pid, 0);
    } catch {
      return false;
    }
  }

  /** Returns one sample of /metrics, or the sum of those whose labels contain `labels`. */
  async metric(name: string, labels = ""): Promise<number> {
    const { body } = await this.process.client.request("GET", "/metrics");
    return String(body)
      .split("\n")
      .filter((line) => new RegExp(`^${name}[{ ]`).test(line) && line.includes(labels))
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
  }

  /** Opens an HTTP/2 connection. Each of its streams accepts `windowBytes` before its window must be increased. */
  session(windowBytes = 65_535): ClientHttp2Session {
    const session = connect(`https://127.0.0.1:${this.process.port}`, {
      rejectUnauthorized: false,
      settings: { initialWindowSize: windowBytes },
    });
    session.on("error", () => undefined);
    this.#sessions.push(session);
    return session;
  }

  /** Sends one request as a tenant and reads the whole response. */
  call(user: string, method: string, path: string, body?: object | string, more = {}): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${user}-token`, "content-type": "application/json", ...more };
      const options = { host: "127.0.0.1", port: this.process.port, path, method, headers, rejectUnauthorized: false };
      const call = request(options, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (piece: string) => {
          text += piece;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
        response.on("error", reject);
      });
      call.on("error", reject);
      call.end(body === undefined || typeof body === "string" ? body : JSON.stringify(body));
    });
  }

  /** Creates `count` ConfigMaps of `bytes` each, as administrator. */
  async fill(count: number, bytes: number, namespace = "default"): Promise<void> {
    const data = { value: "x".repeat(bytes) };
    for (let index = 0; index < count; index++) {
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      const { status } = await this.process.client.request("POST", path, {
        metadata: { name: `large-${index}` },
        data,
      });
      if (status !== 201) throw new Error(`could not create a ConfigMap: ${status}`);
    }
  }
}

/** Opens a stream and reads only the headers of its response. */
export function openStream(
  session: ClientHttp2Session,
  user: string,
  path: string,
  accept = "application/json",
): Promise<OpenStream> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ":path": path, authorization: `Bearer ${user}-token`, accept });
    const opened: OpenStream = { stream, status: 0, headers: {}, closed: false };
    stream.once("response", (headers) => {
      opened.status = Number(headers[":status"]);
      opened.headers = headers;
      resolve(opened);
    });
    stream.on("error", reject);
    stream.once("close", () => {
      opened.closed = true;
    });
  });
}

export interface OpenStream {
  readonly stream: ClientHttp2Stream;
  status: number;
  headers: Readonly<Record<string, unknown>>;
  closed: boolean;
}

/** Starts a server for the tests of a file. */
export function crowdedServer(...flags: string[]): CrowdedServer {
  const server = new CrowdedServer(flags);
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  return server;
}
