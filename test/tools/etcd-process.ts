import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EtcdStore } from "../../runtime/store/etcd/etcd-store.ts";
import type { EtcdTls } from "../../runtime/store/etcd/renewed-credentials.ts";
import { findTool } from "./tools.ts";

/** Election timeout. A single member elects itself after at most twice this time; the default is one second. */
const ELECTION_MS = 100;

/** Paths of PEM files: an authority, and one of its certificates with the key. */
export interface TlsFiles {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** A real etcd on loopback for a test. It can be killed and started again with its data. */
export class EtcdProcess {
  readonly #binary: string;
  readonly #directory: string;
  readonly #clientPort: number;
  readonly #peerPort: number;
  readonly #tls: TlsFiles | undefined;
  readonly #flags: readonly string[];
  #child: ChildProcess | undefined;

  private constructor(
    binary: string,
    directory: string,
    ports: readonly [number, number],
    tls: TlsFiles | undefined,
    flags: readonly string[],
  ) {
    this.#flags = flags;
    this.#binary = binary;
    this.#directory = directory;
    [this.#clientPort, this.#peerPort] = ports;
    this.#tls = tls;
  }

  /** With TLS files it serves only TLS and requires client certificates of the same authority. */
  static async start(tls?: TlsFiles, flags: readonly string[] = []): Promise<EtcdProcess> {
    const binary = findTool("etcd");
    if (binary === undefined) throw new Error("etcd was not found");
    const directory = mkdtempSync(join(tmpdir(), "typeplane-etcd-"));
    const etcd = new EtcdProcess(binary, directory, [await freePort(), await freePort()], tls, flags);
    await etcd.restart();
    return etcd;
  }

  get endpoint(): string {
    return `${this.#tls === undefined ? "http" : "https"}://127.0.0.1:${this.#clientPort}`;
  }

  /** Options with which a store connects. */
  get connectOptions(): { endpoints: string[]; tls?: EtcdTls } {
    const endpoints = [this.endpoint];
    if (this.#tls === undefined) return { endpoints };
    const { ca, key, cert } = this.#tls;
    const client = { certificatePem: readFileSync(cert, "utf8"), keyPem: readFileSync(key, "utf8") };
    return { endpoints, tls: { authorityPem: readFileSync(ca, "utf8"), client: () => client } };
  }

  /** Starts etcd again with the same data and waits until it responds. */
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
        ["--heartbeat-interval", String(ELECTION_MS / 10)],
        ["--election-timeout", String(ELECTION_MS)],
        this.#flags,
        ...(this.#tls === undefined
          ? []
          : [
              ["--trusted-ca-file", this.#tls.ca],
              ["--cert-file", this.#tls.cert],
              ["--key-file", this.#tls.key],
              ["--client-cert-auth"],
            ]),
      ].flat(),
      { stdio: "ignore" },
    );
    const store = await this.#connect();
    await store.close();
  }

  /** Copies the data. The returned function restores the copy, like the restore of a snapshot. Both restart etcd. */
  async save(): Promise<() => Promise<void>> {
    const saved = mkdtempSync(join(tmpdir(), "typeplane-etcd-saved-"));
    await this.kill();
    cpSync(this.#directory, saved, { recursive: true });
    await this.restart();
    return async () => {
      await this.kill();
      rmSync(this.#directory, { recursive: true });
      renameSync(saved, this.#directory);
      await this.restart();
    };
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
        return await EtcdStore.connect({ ...this.connectOptions, callTimeoutMs: 2000 });
      } catch (error) {
        if (attempt === 250) throw error;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}
