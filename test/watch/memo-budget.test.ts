import { expect, it } from "vitest";
import { MemoBudget, type MemoHolder } from "../../runtime/watch/memo-budget.ts";

const holder = (key = "/registry/things/a"): MemoHolder => ({ key, memos: undefined });
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

/** Returns the names of the cached values of a holder. */
const chain = ({ memos }: MemoHolder): string[] => {
  const names: string[] = [];
  for (let memo = memos; memo !== undefined; memo = memo.next) names.push(memo.name);
  return names;
};

it("drops one of several values of a holder and finds the others, wherever it is among them", () => {
  for (const dropped of ["a", "b", "c"]) {
    const budget = new MemoBudget(30);
    const on = holder();
    for (const name of ["a", "b", "c"]) make(budget, on, name);
    // Kept once, because it was requested again.
    for (const name of ["a", "b", "c"]) if (name !== dropped) make(budget, on, name);
    make(budget, holder());
    expect(chain(on).sort()).toEqual(["a", "b", "c"].filter((name) => name !== dropped));
    expect(budget.usedBytes).toBe(30);
    for (const name of ["a", "b", "c"]) expect(make(budget, on, name)).toBe(name === dropped);
  }
});

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

it("the memo budget remembers as much as fits of a list that is twice or ten times as large", () => {
  for (const times of [2, 10]) {
    const budget = new MemoBudget(10_000, 32);
    const holders = Array.from({ length: 1_000 * times }, holder);
    const misses = () => holders.filter((on) => make(budget, on)).length;
    for (let list = 0; list < 5; list++) misses();
    expect(holders.length - misses()).toBeGreaterThan(600);
    expect(budget.usedBytes).toBeLessThanOrEqual(10_000);
  }
});

it("the memo budget remembers a value that is asked for again and again although it is full", () => {
  const budget = new MemoBudget(1_000, 32);
  for (let other = 0; other < 100; other++) make(budget, holder());
  const on = holder();
  let made = 0;
  for (let time = 0; time < 1_000; time++) if (make(budget, on)) made++;
  expect(made).toBe(32);
});

it("the memo budget grows and shrinks with the objects that its values are about", () => {
  const budget = new MemoBudget(10);
  budget.addData(20);
  const holders = [holder(), holder(), holder()];
  for (const on of holders) make(budget, on);
  expect(budget.usedBytes).toBe(30);
  budget.addData(-20);
  expect([budget.usedBytes, budget.limitBytes]).toEqual([10, 10]);
});

it("the memo budget forgets what was not asked for again when it is told to clear what is unused", () => {
  const budget = new MemoBudget(100);
  const [used, unused] = [holder(), holder()];
  for (const on of [used, unused, used]) make(budget, on);
  budget.clearUnused();
  expect([chain(used), chain(unused), budget.usedBytes]).toEqual([["x"], [], 10]);
  budget.clearUnused();
  expect(budget.usedBytes).toBe(0);
});

it("the memo budget counts values that it drops or does not keep because it is full, and no others", () => {
  const budget = new MemoBudget(20, 2);
  const holders = Array.from({ length: 5 }, holder);
  for (const on of holders.slice(0, 2)) make(budget, on);
  expect(budget.dropped).toBe(0);
  make(budget, holders[2] as MemoHolder);
  expect(budget.dropped).toBe(1);
  make(budget, holders[3] as MemoHolder);
  expect([budget.dropped, budget.usedBytes]).toEqual([2, 20]);
  budget.clear();
  expect(budget.dropped).toBe(2);
});

it("forgets what it remembered on objects below a prefix, current or not, so that a kind that is gone can be collected", () => {
  const budget = new MemoBudget(1000);
  const [gone, kept] = [holder("/registry/example.com/things/a"), holder("/registry/example.com/thingsandmore/a")];
  for (const on of [gone, kept])
    budget.remember(
      on,
      "x",
      () => "value",
      () => 10,
    );
  budget.releaseBelow("/registry/example.com/things/");
  expect(gone.memos).toBeUndefined();
  expect(chain(kept)).toEqual(["x"]);
  expect(budget.usedBytes).toBe(10);
});

it("a full budget makes room for what is small beside its object, and hardly for anything else", () => {
  const budget = new MemoBudget(10, 100);
  const objects = Array.from({ length: 50 }, (_, index) => ({ ...holder(`/registry/things/${index}`), size: 80 }));
  budget.addData(50 * 80);
  const keep = (on: MemoHolder, name: string, bytes: number) =>
    budget.remember(
      on,
      name,
      () => name,
      () => bytes,
    );
  for (const on of objects) keep(on, "large", 80);
  for (const on of objects) keep(on, "other", 11);
  expect(objects.filter((on) => chain(on).includes("other")).length).toBeLessThan(5);
  for (const on of objects) keep(on, "small", 10);
  expect(objects.every((on) => chain(on).includes("small"))).toBe(true);
  expect(objects.filter((on) => chain(on).includes("large")).length).toBeGreaterThan(40);
  expect(budget.usedBytes).toBeLessThanOrEqual(budget.limitBytes);
});
