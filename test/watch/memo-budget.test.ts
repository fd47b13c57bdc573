import { expect, it } from "vitest";
import { MemoBudget, type MemoHolder } from "../../runtime/watch/memo-budget.ts";

const holder = (): MemoHolder => ({ memos: undefined });
const make = (budget: MemoBudget, on: MemoHolder, name = "x"): boolean => {
  let made = false;
  budget.remember(
    on,
    name,
    () => {
      made = true;
      return "v";
    },
    () => 10,
  );
  return made;
};

it("the memo budget computes a value once while it fits", () => {
  const budget = new MemoBudget(100);
  const on = holder();
  expect([make(budget, on), make(budget, on), make(budget, on, "y")]).toEqual([true, false, true]);
  expect(budget.usedBytes).toBe(20);
});

it("the memo budget stays within its limit and evicts values that were not used again", () => {
  const budget = new MemoBudget(30);
  const holders = Array.from({ length: 4 }, holder);
  const [a, b, c, d] = holders as [MemoHolder, MemoHolder, MemoHolder, MemoHolder];
  for (const on of [a, b, c]) make(budget, on);
  make(budget, a);
  make(budget, d);
  expect(budget.usedBytes).toBe(30);
  expect(holders.map((on) => on.memos !== undefined)).toEqual([true, false, true, true]);
});

it("the memo budget drops the values of a released holder and does not keep values above its limit", () => {
  const budget = new MemoBudget(15);
  const on = holder();
  make(budget, on);
  budget.release(on);
  expect([budget.usedBytes, on.memos]).toEqual([0, undefined]);
  budget.remember(
    on,
    "large",
    () => "v",
    () => 16,
  );
  expect(on.memos).toBeUndefined();
});

it("the memo budget copies bytes out of the buffer pool", () => {
  const budget = new MemoBudget(100);
  const on = holder();
  const kept = budget.rememberBytes(on, "frame", () => Buffer.from("a slice of a pool"));
  expect(Buffer.from(kept).toString()).toBe("a slice of a pool");
  expect(kept.buffer.byteLength).toBe(kept.length);
  expect(budget.rememberBytes(on, "frame", () => Buffer.from("another"))).toBe(kept);
});

it("the memo budget can be cleared and used again", () => {
  const budget = new MemoBudget(100);
  const holders = [holder(), holder()];
  for (const on of holders) make(budget, on);
  budget.clear();
  expect([budget.usedBytes, ...holders.map((on) => on.memos)]).toEqual([0, undefined, undefined]);
  for (const on of holders) make(budget, on);
  expect(budget.usedBytes).toBe(20);
});
