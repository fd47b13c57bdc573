import { setTimeout as sleep } from "node:timers/promises";
import type { Target } from "./target.ts";

/** How long the main thread may compute in one turn of its event loop. */
export const FROZEN_MS = 5000;
/** How long it may compute in several turns without an answer: on a busy machine it answers all others before. */
const STARVED_MS = 20_000;
const LONGEST_WAIT_SECONDS = 120;
const PENDING = Symbol("pending");
/** A pause of a second that took longer: this process had to wait for its turn, and may have left an answer unread. */
const LATE_MS = 1200;

/** Frozen is a server that works and does not answer; on a busy machine a server that is well may have to wait for its turn. */
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
