/** A long run: `make leader-loss ROUNDS=50 SEED=1`. Exits with 1 if a contradiction was found. */
import { findTool, skipMessage } from "../tools/tools.ts";
import { loseLeaders } from "./leader-loss.ts";
import { seeded } from "./seeded.ts";

const rounds = Number(process.argv[2] ?? 20);
const seed = Number(process.argv[3] ?? 1);
if (findTool("etcd") === undefined) console.log(skipMessage("etcd"));
else {
  const started = performance.now();
  const { requests, unknown, watchSteps, contradictions } = await loseLeaders({
    rounds,
    requests: 400,
    random: seeded(seed),
  });
  for (const contradiction of contradictions) console.log(contradiction);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(
    `two servers over three etcd members: ${rounds} lost leaders, seed ${seed}, ${requests} requests (${unknown} with an unknown result), ${watchSteps} steps of watches, ${contradictions.length} contradictions, ${seconds} s`,
  );
  if (contradictions.length > 0) process.exitCode = 1;
}
