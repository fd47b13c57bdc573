/**
 * A long crash run: `make crash ROUNDS=200` runs this number of rounds for each store and each arrangement of servers; `ONLY=server,workers`
 * selects some. Prints what was checked; exits with 1 if a write was lost.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findTool, skipMessage } from "../tools/tools.ts";
import { type CrashSummary, crashEmbedded } from "./crash-embedded.ts";
import { crashEtcd } from "./crash-etcd.ts";
import { crashServer, crashServerOverEtcd, crashWorkers, restartInTurn, withTwoServers } from "./crash-server.ts";

const rounds = Number(process.argv[2] ?? 20);
const only = process.env.ONLY?.split(",").filter((name) => name !== "") ?? [];

interface Run {
  readonly name: string;
  readonly needsEtcd?: true;
  readonly crash: (directory: string) => Promise<CrashSummary>;
}

/** Runs by lane. The lanes run concurrently, because most of the time is spent waiting for a process to start. */
const LANES: readonly (readonly Run[])[] = [
  [
    { name: "server", crash: (directory) => crashServer(directory, rounds) },
    { name: "workers", crash: (directory) => crashWorkers(directory, rounds) },
  ],
  [
    { name: "embedded", crash: (directory) => crashEmbedded(directory, rounds) },
    { name: "etcd", needsEtcd: true, crash: () => crashEtcd(rounds) },
    { name: "server-over-etcd", needsEtcd: true, crash: (directory) => crashServerOverEtcd(directory, rounds) },
    {
      name: "two-servers",
      needsEtcd: true,
      crash: (directory) => withTwoServers(directory, (servers) => restartInTurn(servers, rounds)),
    },
  ],
];

async function report({ name, needsEtcd, crash }: Run): Promise<void> {
  if (needsEtcd && findTool("etcd") === undefined) {
    console.log(`${name}: ${skipMessage("etcd")}`);
    return;
  }
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

const unknown = only.filter((name) => !LANES.flat().some((run) => run.name === name));
if (unknown.length > 0) {
  const names = LANES.flat().map(({ name }) => name);
  console.error(`ONLY: there is no ${unknown.join(", ")}; choose from ${names.join(", ")}`);
  process.exit(2);
}
await Promise.all(
  LANES.map(async (runs) => {
    for (const run of runs) if (only.length === 0 || only.includes(run.name)) await report(run);
  }),
);
