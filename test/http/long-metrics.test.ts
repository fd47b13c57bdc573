import { expect, it } from "vitest";
import { Histogram } from "../../runtime/metrics/metric.ts";
import { RequestMetrics } from "../../runtime/metrics/request-metrics.ts";

const POLICY = { isShown: () => true, prefix: () => "[ALPHA] ", warnings: [] };

it("writes a family of many megabytes in parts and lets other requests run in between", async () => {
  const metrics = new RequestMetrics({ requested: () => true, named: () => true }, POLICY);
  const family = new Histogram("long_seconds", "A long family.", ["resource"], [0.1, 1, 10]);
  for (let index = 0; index < 10_000; index++) family.observe(1, `resource-${index}-${"x".repeat(100)}`);
  metrics.add(family);
  let turns = 0;
  let exposing = true;
  const count = (): void => {
    turns += 1;
    if (exposing) setImmediate(count);
  };
  setImmediate(count);
  const text = (await metrics.expose()).toString();
  exposing = false;
  expect(turns).toBeGreaterThan(text.length / 4_000_000);
  expect(text.endsWith(family.expose("[ALPHA] "))).toBe(true);
  expect(text.match(/^long_seconds_count\{/gm)).toHaveLength(10_000);
});
