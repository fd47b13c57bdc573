import { setTimeout as sleep } from "node:timers/promises";
import type { Target } from "./target.ts";

/** How long the main thread may compute without an answer. */
export const FROZEN_MS = 5000;
const LONGEST_WAIT_SECONDS = 120;
const PENDING = Symbol("pending");

/** Frozen is a server that works and does not answer; on a busy machine a server that is well may have to wait for its turn. */
export async function answerOrFreeze<T>(target: Target, answer: Promise<T>): Promise<T | "frozen"> {
  const spent = target.mainThreadMs;
  for (let seconds = 0; seconds < LONGEST_WAIT_SECONDS && target.alive; seconds++) {
    const pause = new AbortController();
    const first = await Promise.race([
      answer.finally(() => pause.abort()),
      sleep(1000, PENDING, { signal: pause.signal }).catch(() => answer),
    ]);
    if (first !== PENDING) return first as T;
    if (target.alive && target.mainThreadMs - spent > FROZEN_MS) return "frozen";
  }
  return target.alive ? "frozen" : answer;
}
