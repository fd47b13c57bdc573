import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { HistoryCheck } from "./check-history.ts";
import type { Observation } from "./workload.ts";

const PREFIX = "/registry/crash/";

export interface CrashSummary {
  readonly rounds: number;
  readonly acked: number;
  readonly seen: number;
  readonly contradictions: readonly string[];
}

/** Kills a process with an embedded store under load repeatedly, and checks the store after each kill. */
export async function crashEmbedded(
  directory: string,
  rounds: number,
  random: () => number = Math.random,
): Promise<CrashSummary> {
  const history = new HistoryCheck(PREFIX, 1);
  const count = { acked: 0, seen: 0 };
  const found: string[] = [];
  for (let round = 0; round < rounds && found.length === 0; round++) {
    const observations = await runUntilKilled(directory, history.seenUpTo + 1, 20 + random() * 250);
    for (const { by } of observations) count[by]++;
    const store = await openEmbeddedStore(directory);
    found.push(...(await history.check(store, observations)));
    await store.close();
  }
  return { rounds, ...count, contradictions: found };
}

async function runUntilKilled(directory: string, watchFrom: number, lifeMs: number): Promise<Observation[]> {
  const script = join(import.meta.dirname, "embedded-child.ts");
  const args = ["--disable-warning=ExperimentalWarning", script, directory, PREFIX, String(watchFrom)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const lines = collectLines(child);
  await lines.first;
  await new Promise((resolve) => setTimeout(resolve, lifeMs));
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
  return lines.complete().slice(1) as Observation[];
}

/** Collects complete lines. A line that the kill truncated was never reported. */
function collectLines(child: ChildProcess): { first: Promise<unknown>; complete: () => unknown[] } {
  let text = "";
  const first = new Promise<void>((resolve, reject) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes("\n")) resolve();
    });
    child.once("exit", (code) => reject(new Error(`the process ended by itself with ${code}`)));
  });
  first.catch(() => undefined);
  return {
    first,
    complete: () =>
      text
        .slice(0, text.lastIndexOf("\n") + 1)
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as unknown),
  };
}
