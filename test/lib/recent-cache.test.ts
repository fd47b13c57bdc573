import { describe, expect, it } from "vitest";
import { RecentCache } from "../../runtime/lib/recent-cache.ts";

describe("a cache of recent entries", () => {
  it("keeps an entry in use however many others come once", () => {
    const cache = new RecentCache<string, number>(8);
    cache.set("kept", 1);
    for (let i = 0; i < 100; i++) {
      cache.set(`once ${i}`, i);
      expect(cache.get("kept")).toBe(1);
    }
  });

  it("forgets what is not asked for", () => {
    const cache = new RecentCache<string, number>(8);
    for (let i = 0; i < 100; i++) cache.set(`once ${i}`, i);
    const left = Array.from({ length: 100 }, (_, i) => cache.get(`once ${i}`)).filter((value) => value !== undefined);
    expect(left.length).toBeGreaterThan(0);
    expect(left.length).toBeLessThanOrEqual(8);
    expect(cache.get("once 99")).toBe(99);
  });
});
