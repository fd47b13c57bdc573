import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EtcdStore } from "../../runtime/store/etcd/etcd-store.ts";
import { findTool } from "./tools.ts";

/** A real etcd on loopback, for as long as a test needs it. It can be killed and started again over its data. */
export class EtcdProcess {
  readonly #binary: string;
  readonly #directory: string;
  readonly #clientPort: number;
  readonly #peerPort: number;
  #child: ChildProcess | undefined;

  private constructor(binary: string, directory: string, clientPort: number, peerPort: number) {
    this.#binary = binary;
    this.#directory = directory;
    this.#clientPort = clientPort;
    this.#peerPort = peerPort;
  }

  static async start(): Promise<EtcdProcess> {
    const binary = findTool("etcd");
    if (binary === undefined) throw new Error("etcd was not found");
    const directory = mkdtempSync(join(tmpdir(), "typeplane-etcd-"));
    const etcd = new EtcdProcess(binary, directory, await freePort(), await freePort());
    await etcd.restart();
    return etcd;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#clientPort}`;
  }

  /** Starts etcd again over the same data and waits until it answers. */
  async restart(): Promise<void> {
    const peer = `http://127.0.0.1:${this.#peerPort}`;
    this.#child = spawn(
      this.#binary,
      [
        ["--name", "test"],
        ["--data-dir", this.#directory],
        ["--listen-client-urls", this.endpoint],
        ["--advertise-client-urls", this.endpoint],
        ["--listen-peer-urls", peer],
        ["--initial-advertise-peer-urls", peer],
        ["--initial-cluster", `test=${peer}`],
        ["--log-level", "error"],
      ].flat(),
      { stdio: "ignore" },
    );
    const store = await this.#connect();
    await store.close();
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #connect(): Promise<EtcdStore> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await EtcdStore.connect({ endpoints: [this.endpoint], callTimeoutMs: 2000 });
      } catch (error) {
        if (attempt === 50) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}
