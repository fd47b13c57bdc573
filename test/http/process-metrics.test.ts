import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { startPlane } from "../../runtime/plane.ts";

const BLOCKED_MS = 300;
const A_FEW_TICKS_MS = 100;

it("tells how late the event loop ran since the last scrape, beginning with the first one", async () => {
  const plane = await startPlane({ listen: false, base: "core" });
  try {
    await plane.ready;
    const longest = async (): Promise<number> => {
      const text = await (await plane.fetch("/metrics")).text();
      return Number(/^nodejs_eventloop_lag_seconds\{quantile="1"\} (\S+)$/m.exec(text)?.[1]);
    };
    expect(await longest()).toBeLessThan(0.001);
    await setTimeout(A_FEW_TICKS_MS);
    const until = performance.now() + BLOCKED_MS;
    while (performance.now() < until);
    await setTimeout(A_FEW_TICKS_MS);
    expect(await longest()).toBeGreaterThan((BLOCKED_MS - A_FEW_TICKS_MS) / 1000);
  } finally {
    await plane.stop();
  }
});
