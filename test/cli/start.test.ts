import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { get } from "node:https";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { AdminClient } from "../tools/admin-client.ts";

const LAUNCHER = join(import.meta.dirname, "../../bin/typeplane.js");

interface Reached {
  readonly server: string;
  readonly certificateAuthority: string;
  readonly token: string;
  readonly kubeconfig: string;
  readonly pid: number;
}

async function firstLine(child: ChildProcess): Promise<Reached> {
  let log = "";
  child.stderr?.on("data", (text) => {
    log += text;
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const [line] = (await Promise.race([once(lines, "line"), once(child, "exit")])) as [string | number];
  if (typeof line !== "string") throw new Error(`ended with ${line}: ${log}`);
  return JSON.parse(line) as Reached;
}

function status({ server, certificateAuthority, token }: Reached, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}` };
    get(`${server}${path}`, { ca: certificateAuthority, agent: false, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).once("error", reject);
  });
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe("typeplane start --json", () => {
  it("prints one line with which clients reach a ready server, and stops when its standard input is closed", async () => {
    const child = spawn(process.execPath, [LAUNCHER, "start", "--json", "--controllers=false"]);
    const reached = await firstLine(child);
    expect(Object.keys(reached)).toEqual(["server", "certificateAuthority", "token", "kubeconfig", "pid"]);
    expect(reached.pid).toBe(child.pid);
    expect(await status(reached, "/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin")).toBe(200);
    const client = AdminClient.fromKubeconfig(reached.kubeconfig);
    expect((await client.request("GET", "/api/v1/namespaces/kube-system")).status).toBe(200);
    client.close();
    child.stdin.end();
    expect(await once(child, "close")).toEqual([0, null]);
    expect(existsSync(reached.kubeconfig)).toBe(false);
  });

  it("stops on SIGTERM while its standard input is open", async () => {
    const child = spawn(process.execPath, [LAUNCHER, "start", "--json", "--controllers=false"]);
    await firstLine(child);
    child.kill("SIGTERM");
    expect(await once(child, "close")).toEqual([0, null]);
  });

  it("stops when its parent is killed, even if standard input is not a pipe", async () => {
    const script = `
      const { spawn } = require("node:child_process");
      spawn(process.execPath, ${JSON.stringify([LAUNCHER, "start", "--json"])}, { stdio: ["ignore", "inherit", "ignore"] });
      setInterval(() => undefined, 1000);
    `;
    const parent = spawn(process.execPath, ["-e", script]);
    const { pid } = await firstLine(parent);
    expect(isAlive(pid)).toBe(true);
    parent.kill("SIGKILL");
    await expect.poll(() => isAlive(pid), { timeout: 120_000 }).toBe(false);
  });
});
