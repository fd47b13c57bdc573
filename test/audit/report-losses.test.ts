import { expect, it } from "vitest";
import { reportLosses } from "../../runtime/audit/report-losses.ts";
import type { Clock } from "../../runtime/lib/clock.ts";

it("logs lost events at once, and those of the second after that together", () => {
  const lines: string[] = [];
  let passed: () => void = () => undefined;
  const clock: Clock = {
    now: () => 0,
    after(_delay, action) {
      passed = action;
      return () => undefined;
    },
  };
  const lose = reportLosses((_level, message) => void lines.push(message), clock);
  for (let index = 0; index < 1000; index++) lose(2, "buffer is full");
  expect(lines).toEqual(["2 audit events were lost: buffer is full"]);
  passed();
  expect(lines.slice(1)).toEqual(["1998 audit events were lost: buffer is full"]);
  passed();
  lose(1, "disk is full");
  expect(lines.slice(2)).toEqual(["1 audit events were lost: disk is full"]);
});
