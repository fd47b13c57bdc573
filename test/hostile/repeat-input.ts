import type { Attacker, Input, Outcome } from "./input.ts";
import { type Samples, scrape } from "./metrics.ts";
import { Random } from "./random.ts";
import { runScript } from "./run-script.ts";
import type { Target } from "./target.ts";

/** Maximum time that one input may block the event loop. */
export const HOLD_LIMIT_MS = 100;
/** Node's monitor measures the interval between its ticks. */
const MONITOR_TICK_MS = 20;
const PATIENCE_MS = 1500;

/** Returns the outcome of an input. Requests use the connection of the client. */
export function sendInput(
  target: Target,
  client: ReturnType<Target["client"]>,
  input: Input,
  signal: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<Outcome> {
  return input.kind === "request"
    ? client.send(input.request, patienceMs)
    : runScript(target.endpoint, input.script, signal);
}

/** Creates an input again from its seed and number, and sends it alone. */
export async function repeatInput(
  target: Target,
  attacker: Attacker,
  number: number,
  seed: number,
): Promise<[Input, Outcome]> {
  const client = target.client();
  const input = attacker.make(Random.ofInput(seed, attacker.name, number), number);
  const outcome = await sendInput(target, client, input, AbortSignal.timeout(5000), attacker.patienceMs);
  client.close();
  return [input, outcome];
}

/**
 * Returns how long an input alone blocks the event loop: the processor time of its thread, or the maximum delay of the event loop if that is
 * less. On a busy machine the event loop is also delayed for other reasons.
 */
export async function holdOf(target: Target, attacker: Attacker, number: number, seed: number): Promise<number> {
  const before = target.mainThreadMs;
  await repeatInput(target, attacker, number, seed);
  const spent = target.mainThreadMs - before;
  if (spent < HOLD_LIMIT_MS) return spent;
  await scrape(target);
  await repeatInput(target, attacker, number, seed);
  return Math.min(spent, lagOf(await scrape(target)));
}

/** Returns the maximum delay of the event loop since the last scrape. */
export function lagOf(samples: Samples): number {
  return (samples.get('nodejs_eventloop_lag_seconds{quantile="1"}') ?? 0) * 1000 - MONITOR_TICK_MS;
}
