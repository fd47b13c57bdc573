/** A long run: `make rolling ROUNDS=50`. Prints what was checked; exits with 1 if a client noticed that servers were replaced. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findTool, skipMessage } from "../tools/tools.ts";
import { rollServers } from "./roll-servers.ts";

const [rounds, seed] = [Number(process.argv[2] ?? 10), Number(process.argv[3] ?? 1)];
if (findTool("etcd") === undefined) console.log(skipMessage("etcd"));
else {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-rolling-"));
  const started = performance.now();
  const { replaced, requests, events, repeated, problems } = await rollServers(directory, rounds, seed);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(
    `${replaced} servers replaced, seed ${seed}, ${requests} requests (${repeated} repeated), ${events} steps of watches, ${problems.length} problems, ${seconds} s`,
  );
  for (const problem of problems) console.log(`  ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
  rmSync(directory, { recursive: true, force: true });
}
