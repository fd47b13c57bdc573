/** `make informer-chaos ROUNDS=200`: a long run. Prints what was checked. Exits with 1 if a change was lost or received twice. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInformerChaos } from "./informer-chaos.ts";

const [rounds = "200", objects = "10000", seed = "1"] = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), "typeplane-informer-"));
const started = performance.now();
const summary = await runInformerChaos({
  directory,
  rounds: Number(rounds),
  objects: Number(objects),
  seed: Number(seed),
  log: (line) => console.log(line),
});
const { acked, events, syncs, restarts, contradictions } = summary;
const seconds = ((performance.now() - started) / 1000).toFixed(0);
console.log(
  `${summary.rounds} rounds, ${objects} objects, ${acked} writes acknowledged, ${events} events seen, ${restarts} restarts, ` +
    `${syncs} syncs, ${contradictions.length} contradictions, ${seconds} s`,
);
for (const contradiction of contradictions.slice(0, 50)) console.log(`  ${contradiction}`);
rmSync(directory, { recursive: true, force: true });
process.exit(contradictions.length > 0 ? 1 : 0);
