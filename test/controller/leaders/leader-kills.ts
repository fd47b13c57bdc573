import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configMap } from "../../../api-definitions/core/v1/config-map.ts";
import "../../../generated/resources/core.v1.ts";
import { type Client, connect } from "../../../runtime/client.ts";
import { startPlane } from "../../../runtime/plane.ts";

export interface KillSummary {
  readonly rounds: number;
  readonly writes: number;
  /** Longest time from a kill to the first write of the next leader. */
  readonly slowestTakeoverMs: number;
  /** The leaders in the order of their writes in the store. A leader that occurs twice led at the same time as another. */
  readonly leaders: readonly string[];
}

const LIMIT_MS = 120_000;

/**
 * Runs two processes with leader election that write continuously while they lead. Once per round, kills the leader with SIGKILL and replaces
 * it. The order of the writes in the store shows whether two processes ever led at the same time.
 */
export async function runLeaderKills(
  rounds: number,
  log: (line: string) => void = () => undefined,
): Promise<KillSummary> {
  const directory = mkdtempSync(join(tmpdir(), "leaders-"));
  const plane = await startPlane({ flags: { controllers: "false" } });
  const processes = new Map<string, ChildProcess>();
  try {
    await plane.ready;
    const kubeconfig = join(directory, "kubeconfig");
    writeFileSync(kubeconfig, plane.kubeconfig, { mode: 0o600 });
    const client = await connect({ plane });
    await client.of(configMap).create({ metadata: { namespace: "default", name: "target" } });
    /** Starts a process. Resolves when it takes part in the election. */
    const start = async (identity: string): Promise<void> => {
      const script = join(import.meta.dirname, "candidate.ts");
      const options = ["--disable-warning=ExperimentalWarning", script, kubeconfig, identity];
      const child = spawn(process.execPath, options, { stdio: ["ignore", "pipe", "inherit"] });
      processes.set(identity, child);
      await new Promise<void>((resolve, reject) => {
        child.stdout.once("data", () => resolve());
        child.once("exit", (code) => reject(new Error(`${identity} ended with ${code}`)));
      });
    };
    let started = 2;
    await Promise.all(["c1", "c2"].map(start));
    let leader = await lastWriter(client, (writer) => writer !== undefined);
    let slowest = 0;
    for (let round = 1; round <= rounds; round++) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      const killed = performance.now();
      processes.get(leader)?.kill("SIGKILL");
      processes.delete(leader);
      const replaced = start(`c${++started}`);
      const old = leader;
      leader = await lastWriter(client, (writer) => writer !== old);
      const took = performance.now() - killed;
      slowest = Math.max(slowest, took);
      await replaced;
      log(`round ${round}: ${leader} leads ${Math.round(took)} ms after ${old} was killed`);
    }
    const writes = await writesOf(client);
    const leaders = writes.filter((writer, index) => writer !== writes[index - 1]);
    return { rounds, writes: writes.length, slowestTakeoverMs: slowest, leaders };
  } finally {
    for (const child of processes.values()) child.kill("SIGKILL");
    await plane.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Returns the writers in the order in which the server stored their writes. */
async function writesOf(client: Client): Promise<string[]> {
  const maps = await client.of(configMap).list({ namespace: "default", labelSelector: "writer" }).all();
  return maps
    .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
    .map(({ metadata }) => metadata.labels?.writer ?? "");
}

async function lastWriter(client: Client, isMet: (writer: string | undefined) => boolean): Promise<string> {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    const writer = (await writesOf(client)).at(-1);
    if (isMet(writer)) return writer as string;
    if (performance.now() > end) throw new Error(`${writer} was the last to write for ${LIMIT_MS / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
