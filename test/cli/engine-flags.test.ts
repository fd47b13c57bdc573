import { cachedDataVersionTag } from "node:v8";
import { expect, it } from "vitest";
import { setEngineFlag, withInitialFlags } from "../../runtime/cli/process/engine-flags.ts";

it("calls a function with the flags that V8 had at first, so that compiled code which it stores is accepted by the next process", () => {
  const initial = cachedDataVersionTag();
  setEngineFlag("invocation-count-for-turbofan", 1000);
  setEngineFlag("heap-growing-percent", 100);
  setEngineFlag("semi-space-growth-factor", 1);
  setEngineFlag("expose-gc");
  setEngineFlag("compact-on-every-full-gc");
  setEngineFlag("sparkplug", false);
  if (Number.parseInt(process.versions.node, 10) >= 24) setEngineFlag("external-memory-accounted-in-global-limit");
  const changed = cachedDataVersionTag();
  expect(changed).not.toBe(initial);
  expect(withInitialFlags(() => cachedDataVersionTag())).toBe(initial);
  expect(cachedDataVersionTag()).toBe(changed);
});
