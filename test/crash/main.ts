/** A long crash run: `make crash ROUNDS=200`. Prints what was checked; leaves with 1 when anything was lost. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findTool, skipMessage } from "../tools/tools.ts";
import { type CrashSummary, crashEmbedded } from "./crash-embedded.ts";
import { crashEtcd } from "./crash-etcd.ts";
import { crashServer, crashServerOverEtcd, restartInTurn, withTwoServers } from "./crash-server.ts";

const rounds = Number(process.argv[2] ?? 20);

async function report(name: string, crash: (directory: string) => Promise<CrashSummary>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-crash-"));
  const started = performance.now();
  const { rounds, acked, seen, contradictions } = await crash(directory);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const checked = `${rounds} rounds, ${acked} writes acknowledged, ${seen} events seen`;
  console.log(`${name}: ${checked}, ${contradictions.length} contradictions, ${seconds} s`);
  for (const contradiction of contradictions) console.log(`  ${contradiction}`);
  if (contradictions.length > 0) process.exitCode = 1;
  rmSync(directory, { recursive: true, force: true });
}

async function crashEmbeddedAndEtcd(): Promise<void> {
  await report("embedded store", (directory) => crashEmbedded(directory, rounds));
  if (findTool("etcd") === undefined) {
    console.log(`etcd: ${skipMessage("etcd")}`);
    return;
  }
  await report("etcd", () => crashEtcd(Math.ceil(rounds / 4)));
  await report("server over etcd", (directory) => crashServerOverEtcd(directory, Math.ceil(rounds / 4)));
  await report("two servers over etcd", (directory) =>
    withTwoServers(directory, (servers) => restartInTurn(servers, Math.ceil(rounds / 8))),
  );
}

// Side by side: most of the time goes by waiting for a process to start.
await Promise.all([report("server", (directory) => crashServer(directory, rounds)), crashEmbeddedAndEtcd()]);
