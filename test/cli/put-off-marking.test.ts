import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { cachedDataVersionTag } from "node:v8";
import { expect, it } from "vitest";
import { putOffMarking } from "../../runtime/cli/process/bound-marking.ts";
import { ManualClock } from "../watch/manual-clock.ts";

const isKnown = Number.parseInt(process.versions.node, 10) >= 24;
const FILE = join(import.meta.dirname, "../../runtime/cli/process/bound-marking.ts");

/**
 * A process that allocates like a start: first large buffers, then objects of which most stay alive. Prints the number of its full garbage
 * collections.
 */
const script = (prepare: string): string => `
  const { PerformanceObserver, constants } = await import("node:perf_hooks");
  const { putOffMarking } = await import(${JSON.stringify(FILE)});
  let major = 0;
  const count = (entries) => entries.forEach(({ detail }) => (major += detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR));
  const observer = new PerformanceObserver((list) => count(list.getEntries()));
  observer.observe({ entryTypes: ["gc"] });
  ${prepare}
  const kept = [Buffer.alloc(40 * 2 ** 20)];
  for (let turn = 0; turn < 20; turn++) {
    for (let each = 0; each < 8_000; each++) {
      const one = { name: "n" + turn + each, labels: [each] };
      if (each % 2 === 0) kept.push(one);
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  count(observer.takeRecords());
  process.stdout.write(String(major) + " " + kept.length);
`;

function run(prepare: string): string {
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script(prepare)];
  return execFileSync(process.execPath, args, { encoding: "utf8" });
}

it.runIf(isKnown)("does not look through the whole heap during a start", () => {
  expect(run("")).not.toMatch(/^0 /);
  expect(run("putOffMarking({ now: () => 0, after: () => () => undefined });")).toBe("0 80001");
});

it.runIf(isKnown)("gives V8 its own rules back after two seconds", async () => {
  const clock = new ManualClock();
  const initial = cachedDataVersionTag();
  putOffMarking(clock);
  await clock.advance(1_999);
  expect(cachedDataVersionTag()).not.toBe(initial);
  await clock.advance(1);
  expect(cachedDataVersionTag()).toBe(initial);
});
