import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { type Plan, planOf } from "./plan.ts";
import { shrink } from "./shrink.ts";
import { Simulation } from "./simulation.ts";

/** One of this many seeds is run twice: both runs must be identical. */
const REPEAT_EVERY = 20;
const REPORT_MS = 10_000;
/** All objects of a server are freed with it. With room for a few servers, few objects survive a minor garbage collection. */
const GARBAGE = ["--max-semi-space-size=64", "--min-semi-space-size=64"];

interface Report {
  readonly runs: number;
  readonly turns: number;
  readonly requests: number;
  readonly failures: number;
  readonly cpuSeconds: number;
}

/**
 *     main.ts SEEDS=1000 FROM=1 JOBS=2    runs many seeds
 *     main.ts SEED=17                     runs one and prints what happened
 *     main.ts PLAN='{"seed":17,…}'        the same for a smaller plan that was printed
 */
const given = Object.fromEntries(
  process.argv.slice(2).flatMap((argument) => {
    const [name = "", ...value] = argument.split("=");
    return value.join("=") === "" ? [] : [[name, value.join("=")] as const];
  }),
);

if (given.SEED !== undefined || given.PLAN !== undefined) {
  await replay(given.PLAN === undefined ? planOf(Number(given.SEED)) : (JSON.parse(given.PLAN) as Plan));
} else if (process.send) {
  const [first, end, step] = [Number(given.FROM), Number(given.END), Number(given.STEP)];
  process.send(await runSeeds(first, end, step), () => process.exit());
} else {
  await runJobs(Number(given.SEEDS ?? 1000), Number(given.FROM ?? 1), Number(given.JOBS ?? availableParallelism()));
}

async function replay(plan: Plan): Promise<void> {
  const simulation = await Simulation.prepare();
  const { problems, trace, hash } = await simulation.run(plan, { keepsTrace: true });
  console.log(trace.join("\n"));
  console.log(JSON.stringify(plan), hash);
  for (const problem of problems) console.log(problem);
  process.exit(problems.length > 0 ? 1 : 0);
}

/** Distributes the seeds over processes. */
async function runJobs(seeds: number, first: number, jobs: number): Promise<void> {
  const began = performance.now();
  const reports = await Promise.all(
    Array.from({ length: jobs }, (_, job) => {
      const seedsOf = [`FROM=${first + job}`, `END=${first + seeds}`, `STEP=${jobs}`];
      const child = fork(import.meta.filename, seedsOf, { execArgv: [...process.execArgv, ...GARBAGE] });
      return new Promise<Report>((resolve, reject) => {
        child.once("message", (report) => resolve(report as Report));
        child.once("exit", (code) => reject(new Error(`a process ended with ${code}`)));
      });
    }),
  );
  const sum = (member: keyof Report): number => reports.reduce((total, report) => total + report[member], 0);
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `${sum("runs")} runs of ${seeds} seeds from ${first} on: ${sum("requests")} requests, ${sum("turns")} turns, ${sum("failures")} failures;`,
    `${seconds.toFixed(0)} s, ${sum("cpuSeconds").toFixed(0)} CPU seconds, ${Math.round((sum("runs") / seconds) * 60)} runs a minute`,
  );
  process.exit(sum("failures") > 0 ? 1 : 0);
}

async function runSeeds(first: number, end: number, step: number): Promise<Report> {
  const simulation = await Simulation.prepare();
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  let [runs, turns, requests, failures, reported] = [0, 0, 0, 0, began];
  for (let seed = first; seed < end; seed += step) {
    const plan = planOf(seed);
    const result = await simulation.run(plan);
    runs++;
    turns += result.turns;
    requests += result.requests;
    const again = runs % REPEAT_EVERY === 0 ? await simulation.run(plan) : undefined;
    if (again !== undefined) runs++;
    if (again !== undefined && again.hash !== result.hash) {
      failures++;
      console.log(`seed ${seed}: a second run was different (${result.hash} and ${again.hash})`);
    }
    if (result.problems.length > 0) {
      failures++;
      await explain(simulation, plan, result.problems);
    }
    if (performance.now() - reported > REPORT_MS) {
      reported = performance.now();
      console.log(`seed ${seed}: ${runs} runs, ${Math.round((runs / (reported - began)) * 60_000)} a minute`);
    }
  }
  const { user, system } = process.cpuUsage(cpu);
  return { runs, turns, requests, failures, cpuSeconds: (user + system) / 1e6 };
}

/** Prints a seed that fails, and the smallest plan that fails. */
async function explain(simulation: Simulation, plan: Plan, problems: readonly string[]): Promise<void> {
  console.log(`seed ${plan.seed} fails: make simulate SEED=${plan.seed}`);
  for (const problem of problems) console.log(`  ${problem}`);
  const guarantee = (problem: string): string => problem.split(":")[0] ?? "";
  const wanted = new Set(problems.map(guarantee));
  const smallest = await shrink(plan, async (tried) => {
    const found = await simulation.run(tried);
    return found.problems.some((problem) => wanted.has(guarantee(problem)));
  });
  console.log(`  smaller: make simulate PLAN='${JSON.stringify(smallest)}'`);
  const { trace, problems: left } = await simulation.run(smallest, { keepsTrace: true });
  for (const line of [...trace, ...left]) console.log(`    ${line}`);
}
