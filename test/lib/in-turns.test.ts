import { expect, it } from "vitest";
import { inTurns, inTurnsIfLong, type Steps } from "../../runtime/lib/in-turns.ts";

/** Work of this number of steps, each of some milliseconds. */
function* work(steps: number, milliseconds: number): Steps<string> {
  for (let i = 0; i < steps; i++) {
    for (const end = performance.now() + milliseconds; performance.now() < end; );
    yield;
  }
  return "done";
}

it("short work is done at once, and long work in later turns", async () => {
  expect(inTurnsIfLong(work(3, 0))).toBe("done");
  let turns = 0;
  const long = inTurnsIfLong(work(3, 10));
  const count = (): void => {
    turns++;
    setImmediate(count).unref();
  };
  count();
  expect(long).toBeInstanceOf(Promise);
  expect(await long).toBe("done");
  expect(turns).toBeGreaterThan(1);
});

it("works that were interrupted at the same time are resumed in turns of their own", async () => {
  let stepsInTurn = 0;
  const turns: number[] = [];
  let isDone = false;
  const countTurns = (): void => {
    turns.push(stepsInTurn);
    stepsInTurn = 0;
    if (!isDone) setImmediate(countTurns);
  };
  function* counted(steps: Steps<string>): Steps<void> {
    for (;;) {
      stepsInTurn++;
      if (steps.next().done) return;
      yield;
    }
  }
  const works = Array.from({ length: 10 }, () => inTurns(counted(work(2, 9))));
  // All works do their first step at once, before they wait.
  expect(stepsInTurn).toBe(10);
  stepsInTurn = 0;
  setImmediate(countTurns);
  await Promise.all(works);
  isDone = true;

  expect(turns.reduce((sum, steps) => sum + steps, 0) + stepsInTurn).toBe(20);
  expect(Math.max(...turns)).toBe(1);
});

it("works with little left to do share a turn", async () => {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  const works = Array.from({ length: 50 }, () => inTurns(work(1, 9)));
  setImmediate(count);
  await Promise.all(works);
  isDone = true;

  expect(turns).toBeLessThan(10);
});
