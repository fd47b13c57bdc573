import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Target } from "../server/server-process.ts";

export interface ControllerManager {
  readonly pid: number;
  /** Returns the end of its log if it exited by itself, as it does when it cannot renew its lease. */
  whyEnded(): string | undefined;
  stop(): Promise<void>;
}

/** Starts a real kube-controller-manager with its default controllers and limits, as administrator of a server. */
export function startControllerManager(binary: string, { url, tls, headers }: Target): ControllerManager {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-controller-manager-"));
  const kubeconfig = join(directory, "kubeconfig");
  const cluster = { server: url, "certificate-authority-data": Buffer.from(tls.ca ?? "").toString("base64") };
  const token = headers.authorization?.replace("Bearer ", "");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "bench", cluster }],
    users: [{ name: "bench", user: { token } }],
    contexts: [{ name: "bench", context: { cluster: "bench", user: "bench" } }],
    "current-context": "bench",
  };
  writeFileSync(kubeconfig, JSON.stringify(config), { mode: 0o600 });
  const child = spawn(binary, [`--kubeconfig=${kubeconfig}`, "--bind-address=127.0.0.1", "--secure-port=0"], {
    cwd: directory,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  child.stderr.on("data", (part: Buffer) => (log = (log + part.toString()).slice(-2000)));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    pid: child.pid ?? 0,
    whyEnded: () => (hasEnded() ? log : undefined),
    stop: async () => {
      if (!hasEnded()) {
        const exited = once(child, "exit");
        child.kill("SIGKILL");
        await exited;
      }
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
