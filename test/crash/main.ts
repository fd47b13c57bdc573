/** A long crash run: `make crash ROUNDS=200`. Prints what was checked; leaves with 1 when anything was lost. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findTool, skipMessage } from "../tools/tools.ts";
import { type CrashSummary, crashEmbedded } from "./crash-embedded.ts";
import { crashEtcd } from "./crash-etcd.ts";

const rounds = Number(process.argv[2] ?? 20);

function print(name: string, summary: CrashSummary): void {
  const { acked, seen, contradictions } = summary;
  console.log(
    `${name}: ${summary.rounds} rounds, ${acked} writes acknowledged, ${seen} events seen, ${contradictions.length} contradictions`,
  );
  for (const contradiction of contradictions) console.log(`  ${contradiction}`);
  if (contradictions.length > 0) process.exitCode = 1;
}

const directory = mkdtempSync(join(tmpdir(), "typeplane-crash-"));
print("embedded store", await crashEmbedded(directory, rounds));
rmSync(directory, { recursive: true, force: true });
if (findTool("etcd") === undefined) console.log(`etcd: ${skipMessage("etcd")}`);
else print("etcd", await crashEtcd(Math.ceil(rounds / 4)));
