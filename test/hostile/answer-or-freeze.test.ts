import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { answerOrFreeze } from "./answer-or-freeze.ts";
import type { Target } from "./target.ts";

/** A server that always computes: its processor time grows by `msPerRead` with each read. */
function busyTarget(msPerRead: number, lastLateTurn = () => 0): Target {
  let mainThreadMs = 0;
  return {
    alive: true,
    get lastLateTurn() {
      return lastLateTurn();
    },
    get mainThreadMs() {
      mainThreadMs += msPerRead;
      return mainThreadMs;
    },
  } as Target;
}

function block(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

const NO_ANSWER = new Promise<never>(() => {});

describe("a server that answers nothing", { timeout: 60_000 }, () => {
  it("is frozen if it computes meanwhile", async () => {
    expect(await answerOrFreeze(busyTarget(3000), NO_ANSWER)).toBe("frozen");
  });

  it("is frozen only after longer if turns of its event loop end", async () => {
    let turns = 0;
    const turning = () => busyTarget(3000, () => ++turns);
    expect(await answerOrFreeze(turning(), sleep(3500, "answered"))).toBe("answered");
    expect(await answerOrFreeze(turning(), NO_ANSWER)).toBe("frozen");
  });

  it("is not frozen if this process could not read the answer", async () => {
    const answer = sleep(1100, "answered");
    const verdict = answerOrFreeze(busyTarget(6000), answer);
    block(1500);
    expect(await verdict).toBe("answered");
  });
});
