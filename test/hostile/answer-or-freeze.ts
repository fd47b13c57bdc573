import { setTimeout as sleep } from "node:timers/promises";
import type { Target } from "./target.ts";

/** Maximum time that the main thread may compute in one turn of its event loop. */
export const FROZEN_MS = 5000;
/** Maximum time that it may compute in several turns without responding. On a busy machine it responds to all other requests first. */
const STARVED_MS = 20_000;
const LONGEST_WAIT_SECONDS = 120;
const PENDING = Symbol("pending");
/** A pause of one second that took at least this long: this process did not get the processor, and may not have read a response yet. */
const LATE_MS = 1200;

/**
 * Returns the response, or "frozen" if the server works without responding. On a busy machine a healthy server may have to wait for the
 * processor.
 */
export async function answerOrFreeze<T>(target: Target, answer: Promise<T>): Promise<T | "frozen"> {
  let inTurn = 0;
  let spent = 0;
  for (let seconds = 0; seconds < LONGEST_WAIT_SECONDS && target.alive; seconds++) {
    const pause = new AbortController();
    const [started, before, turn] = [performance.now(), target.mainThreadMs, target.lastLateTurn];
    const first = await Promise.race([
      answer.finally(() => pause.abort()),
      sleep(1000, PENDING, { signal: pause.signal }).catch(() => answer),
    ]);
    if (first !== PENDING) return first as T;
    const computed = performance.now() - started < LATE_MS ? target.mainThreadMs - before : 0;
    spent += computed;
    inTurn = target.lastLateTurn === turn ? inTurn + computed : 0;
    if (target.alive && (inTurn > FROZEN_MS || spent > STARVED_MS)) return "frozen";
  }
  return target.alive ? "frozen" : answer;
}
