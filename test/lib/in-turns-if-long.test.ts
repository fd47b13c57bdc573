import { expect, it } from "vitest";
import { inTurnsIfLong, type Steps } from "../../runtime/lib/in-turns.ts";

/** Work of so many steps, each of some milliseconds. */
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
