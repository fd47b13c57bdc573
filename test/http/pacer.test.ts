import { expect, it } from "vitest";
import { Pacer } from "../../runtime/http/respond/pacer.ts";

it("is due when the time slice is used up, and not right after a pause", async () => {
  let now = 0;
  const pacer = new Pacer(() => now);
  const dueWithin = (steps: number) => Array.from({ length: steps }, () => pacer.isDue()).includes(true);
  expect(dueWithin(100)).toBe(false);
  now = 20;
  expect(dueWithin(20)).toBe(true);
  let others = false;
  setImmediate(() => {
    others = true;
  });
  await pacer.rest();
  expect(others).toBe(true);
  expect(dueWithin(100)).toBe(false);
});
