import { describe, expect, it } from "vitest";
import { SlowProgress } from "../../runtime/lib/slow-progress.ts";

describe("progress", () => {
  it("is reported once a second and at the end for steps that take longer", () => {
    let now = 0;
    const told: string[] = [];
    const progress = new SlowProgress({ now: () => now }, ({ count, milliseconds, done }) =>
      told.push(`${count} after ${milliseconds}${done ? ", done" : ""}`),
    );
    for (now = 0; now <= 2500; now += 250) progress.add(10);
    now = 2700;
    progress.end();
    expect(told).toEqual(["50 after 1000", "90 after 2000", "110 after 2700, done"]);
  });

  it("is not reported for short steps", () => {
    const told: unknown[] = [];
    const progress = new SlowProgress({ now: () => 0 }, (each) => told.push(each));
    progress.add(5);
    progress.end();
    expect(told).toEqual([]);
  });
});
