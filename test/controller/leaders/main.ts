import { runLeaderKills } from "./leader-kills.ts";

/** `make leader-chaos ROUNDS=50`: exits with 1 if two processes led at the same time, or if a takeover took too long. */
const [rounds = "50"] = process.argv.slice(2);
const summary = await runLeaderKills(Number(rounds), (line) => console.log(line));
const { leaders, slowestTakeoverMs, writes } = summary;
const isSafe = new Set(leaders).size === leaders.length;
console.log(`${rounds} kills, ${writes} writes, slowest takeover ${Math.round(slowestTakeoverMs)} ms (lease 2000 ms)`);
if (!isSafe) console.log(`two leaders at once: ${leaders.join(" ")}`);
process.exit(isSafe ? 0 : 1);
