import { cachedDataVersionTag } from "node:v8";
import { expect, it } from "vitest";
import { setEngineFlag, withInitialFlags } from "../../runtime/cli/process/engine-flags.ts";

it("calls a function with the flags that V8 had at first, so that compiled code which it stores is accepted by the next process", () => {
  const initial = cachedDataVersionTag();
  const set = (...flag: Parameters<typeof setEngineFlag>): void => {
    const before = cachedDataVersionTag();
    setEngineFlag(...flag);
    expect(cachedDataVersionTag(), `V8 knows ${flag[0]}`).not.toBe(before);
  };
  set("invocation-count-for-turbofan", 1000);
  set("heap-growing-percent", 100);
  set("incremental-marking-hard-trigger", 100);
  set("semi-space-growth-factor", 1);
  set("expose-gc");
  set("compact-on-every-full-gc");
  set("sparkplug", false);
  if (Number.parseInt(process.versions.node, 10) >= 24) set("external-memory-accounted-in-global-limit");
  const changed = cachedDataVersionTag();
  expect(withInitialFlags(() => cachedDataVersionTag())).toBe(initial);
  expect(cachedDataVersionTag()).toBe(changed);
});
