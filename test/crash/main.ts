/** A long crash run: `make crash ROUNDS=200`. Prints what was checked; leaves with 1 when anything was lost. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findTool, skipMessage } from "../tools/tools.ts";
import { type CrashSummary, crashEmbedded } from "./crash-embedded.ts";
import { crashEtcd } from "./crash-etcd.ts";
import { crashServer, crashServerOverEtcd, restartInTurn, withTwoServers } from "./crash-server.ts";

const rounds = Number(process.argv[2] ?? 20);

function print(name: string, summary: CrashSummary): void {
  const { acked, seen, contradictions } = summary;
  console.log(
    `${name}: ${summary.rounds} rounds, ${acked} writes acknowledged, ${seen} events seen, ${contradictions.length} contradictions`,
  );
  for (const contradiction of contradictions) console.log(`  ${contradiction}`);
  if (contradictions.length > 0) process.exitCode = 1;
}

async function inDirectory(crash: (directory: string) => Promise<CrashSummary>): Promise<CrashSummary> {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-crash-"));
  const summary = await crash(directory);
  rmSync(directory, { recursive: true, force: true });
  return summary;
}

print("server", await inDirectory((directory) => crashServer(directory, rounds)));
print("embedded store", await inDirectory((directory) => crashEmbedded(directory, rounds)));
if (findTool("etcd") === undefined) console.log(`etcd: ${skipMessage("etcd")}`);
else {
  print("etcd", await crashEtcd(Math.ceil(rounds / 4)));
  print("server over etcd", await inDirectory((directory) => crashServerOverEtcd(directory, Math.ceil(rounds / 4))));
  const restarts = (directory: string): Promise<CrashSummary> =>
    withTwoServers(directory, (servers) => restartInTurn(servers, Math.ceil(rounds / 8)));
  print("two servers over etcd", await inDirectory(restarts));
}
