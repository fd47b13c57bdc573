import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get as getHttp } from "node:http";
import { get as getHttps } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { formatKubeconfig } from "../../runtime/auth/pki/kubeconfig.ts";
import { createAuthority } from "../fixtures/certificates.ts";
import { freePort } from "./etcd-process.ts";

const POLL_MS = 100;
const START_TIMEOUT_MS = 60_000;

/**
 * Starts etcd and kube-apiserver from a directory like envtest of controller-runtime, without Go: with the same certificates, calls of
 * `--help`, flags, health checks and signals.
 */
export class Envtest {
  /** Working directory of both programs. */
  readonly workingDirectory: string;
  readonly certDir: string;
  /** Output of both programs. */
  output = "";
  readonly #assets: string;
  readonly #directory = mkdtempSync(join(tmpdir(), "k8s_test_framework_"));
  readonly #clients = createAuthority("envtest-environment");
  readonly #serving = createAuthority("envtest-environment");
  readonly #programs: ChildProcess[] = [];
  #url = "";
  #etcdUrl = "";

  constructor(assets: string) {
    this.#assets = assets;
    this.workingDirectory = join(this.#directory, "cwd");
    this.certDir = join(this.#directory, "certs");
    for (const directory of [this.workingDirectory, this.certDir, join(this.#directory, "etcd")]) mkdirSync(directory);
  }

  get url(): string {
    return this.#url;
  }

  /** Process ID of kube-apiserver. */
  get pid(): number {
    return this.#programs.at(-1)?.pid ?? 0;
  }

  async start(flags: readonly string[] = []): Promise<void> {
    await this.startEtcd();
    await this.startApiServer(flags);
  }

  async startEtcd(): Promise<void> {
    this.#etcdUrl = `http://127.0.0.1:${await freePort()}`;
    await this.#run("etcd", new URL("/health", this.#etcdUrl), [
      `--advertise-client-urls=${this.#etcdUrl}`,
      `--data-dir=${join(this.#directory, "etcd")}`,
      `--listen-client-urls=${this.#etcdUrl}`,
      `--listen-peer-urls=http://127.0.0.1:${await freePort()}`,
      ...(this.#hasFlag("etcd", "unsafe-no-fsync") ? ["--unsafe-no-fsync=true"] : []),
    ]);
  }

  async startApiServer(flags: readonly string[] = []): Promise<void> {
    const port = await freePort();
    this.#url = `https://127.0.0.1:${port}`;
    this.#writeCertificates();
    const file = (name: string): string => join(this.certDir, name);
    await this.#run("kube-apiserver", new URL("/healthz", this.#url), [
      "--allow-privileged=true",
      "--authorization-mode=RBAC",
      "--bind-address=127.0.0.1",
      `--cert-dir=${this.certDir}`,
      `--client-ca-file=${file("client-cert-auth-ca.crt")}`,
      "--disable-admission-plugins=ServiceAccount",
      `--etcd-servers=${this.#etcdUrl}`,
      ...(this.#hasFlag("kube-apiserver", "insecure-port") ? ["--insecure-port=0"] : []),
      `--secure-port=${port}`,
      `--service-account-issuer=${this.#url}/`,
      `--service-account-key-file=${file("sa-signer.crt")}`,
      `--service-account-signing-key-file=${file("sa-signer.key")}`,
      "--service-cluster-ip-range=10.0.0.0/24",
      ...flags,
    ]);
  }

  /** Writes the kubeconfig of a new user. Returns its path. */
  addUser(name: string, ...organizations: string[]): string {
    const { cert, key } = this.#clients.issue(name, "client", { organizations });
    const path = join(this.#directory, `${name}.kubecfg`);
    const identity = {
      serverTrustPem: this.#serving.authority,
      admin: { certificatePem: cert, keyPem: key },
    };
    writeFileSync(path, formatKubeconfig({ server: this.#url, name: "envtest", identity }));
    return path;
  }

  /** Stops only kube-apiserver. Resolves with its exit code. */
  stopApiServer(): Promise<number | null> {
    return end(this.#programs.pop());
  }

  /** Stops all running programs, the API server first, and removes every file. */
  async stop(): Promise<void> {
    while (this.#programs.length > 0) await end(this.#programs.pop());
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #writeCertificates(): void {
    const serving = this.#serving.issue("localhost", "server", {
      organizations: ["envtest"],
      names: ["localhost", "127.0.0.1"],
    });
    const accounts = createAuthority("envtest-environment");
    const files = {
      "apiserver.crt": serving.cert,
      "apiserver.key": serving.key,
      "sa-signer.crt": accounts.authority,
      "sa-signer.key": accounts.authorityKey,
      "client-cert-auth-ca.crt": this.#clients.authority,
    };
    for (const [name, pem] of Object.entries(files)) writeFileSync(join(this.certDir, name), pem, { mode: 0o640 });
  }

  #hasFlag(program: string, flag: string): boolean {
    const { status, stdout, stderr } = spawnSync(join(this.#assets, program), ["--help"], { encoding: "utf8" });
    if (status !== 0) throw new Error(`${program} --help ended with ${status}`);
    return new RegExp(`^\\s*--${flag}\\b`, "m").test(stdout + stderr);
  }

  async #run(program: string, health: URL, flags: readonly string[]): Promise<void> {
    const child = spawn(join(this.#assets, program), flags, {
      cwd: this.workingDirectory,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    this.#programs.push(child);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.output += text;
      });
    }
    for (const until = Date.now() + START_TIMEOUT_MS; !(await answersOk(health)); await delay(POLL_MS)) {
      if (child.exitCode !== null || Date.now() > until) throw new Error(`${program} did not start: ${this.output}`);
    }
  }
}

async function end(child: ChildProcess | undefined): Promise<number | null> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
  const closed = once(child, "close");
  child.kill("SIGTERM");
  const [code] = (await closed) as [number | null];
  return code;
}

function answersOk(url: URL): Promise<boolean> {
  const get = url.protocol === "https:" ? getHttps : getHttp;
  return new Promise((resolve) => {
    get(url, { agent: false, rejectUnauthorized: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).once("error", () => resolve(false));
  });
}
