/**
 * `make hostile MINUTES=30`: attacks a server with generated inputs. `SEED` and `ONLY=http1,bodies` select them. `make hostile SEED=5
 * ONLY=bodies AT=1234` repeats a single input. `WORKERS=2` attacks a server of several processes. Exits with 1 if a problem was found.
 */
import { ATTACKERS } from "./attackers.ts";
import { describeFinding } from "./findings.ts";
import { measureLarge } from "./large/measure-large.ts";
import { runParser } from "./parser-worker.ts";
import { prepare } from "./prepare.ts";
import { HOLD_LIMIT_MS, holdOf, repeatInput } from "./repeat-input.ts";
import { runHostile } from "./run-hostile.ts";
import { type LateTurn, Target } from "./target.ts";

const argument = (name: string): string | undefined =>
  process.argv.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1) || undefined;

const seed = Number(argument("SEED") ?? Math.floor(Math.random() * 2 ** 31));
const only = argument("ONLY")?.split(",");
const at = argument("AT");
const workers = argument("WORKERS");
const flags = workers === undefined ? [] : [`--workers=${workers}`];

const names = [...ATTACKERS.map(({ name }) => name), "large", "parsers"];
const unknown = only?.filter((name) => !names.includes(name)) ?? [];
if (unknown.length > 0) {
  console.error(`ONLY=${unknown.join()}: there is no such attacker; there are ${names.join(", ")}`);
  process.exit(2);
}
const minutes = Number(argument("MINUTES") ?? 30);
if (!(minutes > 0)) {
  console.error(`MINUTES=${argument("MINUTES")}: not a number above 0`);
  process.exit(2);
}

if (at !== undefined) await repeat(Number(at));
else {
  if (only === undefined || only.includes("large")) await sendLarge();
  if (only?.join() !== "large") await attack();
}
// Timers of inputs without a response would keep the process alive.
process.exit();

/** Sends valid objects near the size limits one by one before everything else, because they would slow down the other attackers. */
async function sendLarge(): Promise<void> {
  // On a busy machine a large object takes long, and the input would get a timeout instead of its response.
  const target = await Target.started([...flags, "--request-timeout=10m"]);
  const stop = () => void target.stop().then(() => process.exit(1));
  process.once("SIGTERM", stop);
  try {
    console.log("held ms | all ms | status | large input");
    const results = await measureLarge(target, HOLD_LIMIT_MS, ({ what, heldMs, spentMs, status }) =>
      console.log(`${heldMs.toFixed(0).padStart(7)} | ${spentMs.toFixed(0).padStart(6)} | ${status} | ${what}`),
    );
    const long = results.filter(({ heldMs }) => heldMs > HOLD_LIMIT_MS);
    console.log(`${results.length} large inputs, ${long.length} of them held the event loop above ${HOLD_LIMIT_MS} ms`);
    const odd = results.filter(({ isAsExpected }) => !isAsExpected);
    for (const { what, status } of odd) console.log(`FAILED ${what}: answered ${status}`);
    if (long.length + odd.length > 0) process.exitCode = 1;
  } finally {
    process.off("SIGTERM", stop);
    await target.stop();
  }
}

async function attack(): Promise<void> {
  console.log(`SEED=${seed}`);
  const started = performance.now();
  const report = await runHostile({
    seconds: minutes * 60,
    seed,
    flags,
    ...(only && { only }),
    progress: (line) => console.log(line),
  });
  const count = Object.values(report.inputs).reduce((sum, one) => sum + one, 0);
  const seconds = (performance.now() - started) / 1000;
  console.log(`${count} inputs in ${seconds.toFixed(0)} s, ${(count / seconds).toFixed(0)} a second`);
  for (const [name, tried] of Object.entries(report.inputs)) {
    const outcomes = Object.entries(report.outcomes[name] ?? {}).map(([outcome, times]) => `${outcome}: ${times}`);
    console.log(`  ${name}: ${tried}${outcomes.length > 0 ? ` (${outcomes.join(", ")})` : ""}`);
  }
  console.log(`longest time one input by itself held the event loop: ${report.longestHoldMs.toFixed(0)} ms`);
  console.log(describeLateTurns(report.lateTurns));
  console.log(`memory: ${report.memoryMiB.map((one) => one.toFixed(0)).join(" -> ")} MiB`);
  console.log(`${report.findings.length} findings`);
  for (const finding of report.findings) console.log(`FAILED ${describeFinding(finding, seed)}`);
  if (report.findings.length > 0) process.exitCode = 1;
}

/** Under load, one turn handles many inputs. On a machine with few processors it may also have to wait for one. */
function describeLateTurns(turns: readonly LateTurn[]): string {
  const latest = turns.toSorted((a, b) => b.lateMs - a.lateMs)[0];
  if (latest === undefined) return "under load no turn of the event loop was more than 100 ms late";
  const busy = turns.filter(({ processorMs }) => processorMs > 100);
  const busiest = Math.max(0, ...busy.map(({ processorMs }) => processorMs));
  return (
    `under load ${turns.length} turns of the event loop were more than 100 ms late, at most ${latest.lateMs} ms ` +
    `(of which it computed ${latest.processorMs} ms and waited for a processor otherwise); ` +
    `${busy.length} of them computed for more than 100 ms${busy.length > 0 ? `, at most ${busiest} ms` : ""}`
  );
}

async function repeat(number: number): Promise<void> {
  if (only?.includes("parsers")) {
    const { name, milliseconds, crash } = runParser(seed, number);
    console.log(`${name} took ${milliseconds.toFixed(0)} ms of processor time`, crash ?? "");
    return;
  }
  const target = await Target.started(flags);
  try {
    await prepare(target);
    for (const attacker of ATTACKERS.filter(({ name }) => only?.includes(name))) {
      const [input, outcome] = await repeatInput(target, attacker, number, seed);
      console.log(JSON.stringify(input, (_, value: unknown) => shown(value), 2));
      console.log(
        `${outcome.ended} after ${outcome.milliseconds.toFixed(0)} ms: ${outcome.received.toString("latin1", 0, 3000)}`,
      );
      if (target.alive)
        console.log(`holds the event loop for ${(await holdOf(target, attacker, number, seed)).toFixed(0)} ms`);
      else console.log("the process ended");
    }
    console.log(target.server.log.split("\n").slice(-20).join("\n"));
  } finally {
    await target.stop();
  }
}

/** Shows Buffers as their bytes. */
function shown(value: unknown): unknown {
  const { type, data } = (value ?? {}) as { type?: string; data?: number[] };
  return type === "Buffer" && data ? Buffer.from(data).toString("latin1").slice(0, 4000) : value;
}
