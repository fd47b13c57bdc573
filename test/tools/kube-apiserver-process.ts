import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createAuthority } from "../fixtures/certificates.ts";
import { createClient, type PlaneClient } from "../fixtures/plane-client.ts";
import { freePort } from "./etcd-process.ts";
import { findTool } from "./tools.ts";

const READY_MS = 120_000;
const POLL_MS = 200;

type Client = Parameters<typeof createClient>[0]["client"];

/** A real kube-apiserver on loopback, over an etcd that other servers may share. */
export class KubeApiserverProcess {
  readonly call: PlaneClient;
  readonly kubeconfig: string;
  readonly #child: ChildProcess;
  readonly #directory: string;

  private constructor(client: Client, child: ChildProcess, directory: string) {
    this.call = createClient({ client });
    this.kubeconfig = kubeconfigOf(client);
    this.#child = child;
    this.#directory = directory;
  }

  /** Resolves when the server is ready. `flags` replace default flags of the same name. */
  static async start(etcd: string, flags: readonly string[] = []): Promise<KubeApiserverProcess> {
    const binary = findTool("kube-apiserver");
    if (binary === undefined) throw new Error("kube-apiserver was not found");
    const directory = mkdtempSync(join(tmpdir(), "kube-apiserver-"));
    const file = (name: string, content: string): string => {
      const path = join(directory, name);
      writeFileSync(path, content, { mode: 0o600 });
      return path;
    };
    const authority = createAuthority();
    const serving = authority.issue("kube-apiserver", "server", { names: ["127.0.0.1"] });
    const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const accountKey = file("sa.key", keys.privateKey.export({ type: "pkcs1", format: "pem" }).toString());
    const port = await freePort();
    const isGiven = (flag: string) => flags.some((each) => each.split("=")[0] === flag.split("=")[0]);
    const own = [
      `--etcd-servers=${etcd}`,
      `--secure-port=${port}`,
      "--bind-address=127.0.0.1",
      // No requests are sent to this address. A loopback address would be rejected.
      "--advertise-address=192.0.2.1",
      "--endpoint-reconciler-type=none",
      `--cert-dir=${directory}`,
      `--tls-cert-file=${file("serving.crt", serving.cert)}`,
      `--tls-private-key-file=${file("serving.key", serving.key)}`,
      `--token-auth-file=${file("tokens.csv", "secret,admin,admin,system:masters\n")}`,
      "--authorization-mode=RBAC",
      "--service-cluster-ip-range=10.96.0.0/16",
      "--service-account-issuer=https://kubernetes.default.svc",
      `--service-account-key-file=${accountKey}`,
      `--service-account-signing-key-file=${accountKey}`,
      "--disable-admission-plugins=ServiceAccount",
    ].filter((flag) => !isGiven(flag));
    const child = spawn(binary, [...own, ...flags], { cwd: directory, stdio: ["ignore", "ignore", "pipe"] });
    let log = "";
    child.stderr?.on("data", (part: Buffer) => (log = (log + part.toString()).slice(-5000)));
    const client = { server: `https://127.0.0.1:${port}`, certificateAuthority: authority.authority, token: "secret" };
    const started = new KubeApiserverProcess(client, child, directory);
    for (const deadline = Date.now() + READY_MS; ; await delay(POLL_MS)) {
      const answer = await started.call("GET", "/readyz").catch(() => undefined);
      if (answer?.status === 200) return started;
      if (child.exitCode === null && Date.now() < deadline) continue;
      await started.stop();
      throw new Error(`kube-apiserver did not become ready: ${answer?.text ?? ""}\n${log}`);
    }
  }

  /** Whether the program with that name is the real one: `typeplane assets` also writes a program with this name. */
  static isRealServer(): boolean {
    const binary = findTool("kube-apiserver");
    return binary !== undefined && readFileSync(binary).subarray(0, 2).toString() !== "#!";
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = once(this.#child, "exit");
      this.#child.kill("SIGKILL");
      await exited;
    }
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

function kubeconfigOf({ server, certificateAuthority, token }: Client): string {
  const cluster = { server, "certificate-authority-data": Buffer.from(certificateAuthority).toString("base64") };
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "test", cluster }],
    users: [{ name: "admin", user: { token } }],
    contexts: [{ name: "test", context: { cluster: "test", user: "admin" } }],
    "current-context": "test",
  });
}
