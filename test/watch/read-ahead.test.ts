import { expect, it } from "vitest";
import type { CachedObject } from "../../runtime/watch/cached-object.ts";
import { LISTED_AHEAD, readAhead, windowsOf, windowsToRead } from "../../runtime/watch/read-ahead.ts";

/** Objects with revisions, whose reads are recorded in `asked`. Hot ones are in memory. */
function objectsOf(revisions: readonly number[], asked: number[][], isCold = (_revision: number) => true) {
  const source = {
    async prefetch(wanted: readonly number[]) {
      asked.push([...wanted]);
    },
  };
  return revisions.map(
    (modRevision) => ({ modRevision, isCold: isCold(modRevision), source }) as unknown as CachedObject,
  );
}

const range = (length: number): number[] => Array.from({ length }, (_, index) => index + 1);
const revisionsOf = (objects: readonly CachedObject[]): number[] => objects.map(({ modRevision }) => modRevision);

it("reads objects of a range in the order of their writes, those in memory excepted", async () => {
  const asked: number[][] = [];
  const objects = objectsOf([9, 3, 7, 5, 1], asked, (revision) => revision !== 7);
  await readAhead(objects, 0, 4);
  expect(asked).toEqual([[3, 5, 9]]);
  expect(readAhead(objects, 2, 3)).toBeUndefined();
});

it("does not fail if reading ahead does", async () => {
  const source = { prefetch: () => Promise.reject(new Error("the store is closed")) };
  const object = { modRevision: 1, isCold: true, source } as unknown as CachedObject;
  await expect(readAhead([object])).resolves.toBeUndefined();
});

it("a list keeps its order, and has the next window read while one is used", () => {
  const asked: number[][] = [];
  const revisions = range(LISTED_AHEAD + 500);
  const used: number[] = [];
  const ahead: number[] = [];
  for (const { objects, ready } of windowsOf(objectsOf(revisions, asked))) {
    expect(ready === undefined).toBe(used.length === 0);
    used.push(...revisionsOf(objects));
    ahead.push(asked.flat().length - Math.max(0, used.length - LISTED_AHEAD));
  }
  expect(used).toEqual(revisions);
  expect(asked.flat()).toEqual(revisions.slice(LISTED_AHEAD));
  expect(ahead).toEqual([0, 200, 100, 0]);
});

it("objects that may come in any order are read in the order of their writes, after those in memory", () => {
  const asked: number[][] = [];
  // In key order every hundredth write comes next.
  const revisions = range(10_000).sort((a, b) => (a % 100) - (b % 100) || a - b);
  const isCold = (revision: number): boolean => revision > 50;
  const used: number[] = [];
  let steps = 0;
  for (const window of windowsToRead(objectsOf(revisions, asked, isCold))) {
    steps += 1;
    used.push(...revisionsOf(window?.objects ?? []));
  }
  expect(used.slice(0, 50).sort((a, b) => a - b)).toEqual(range(50));
  expect(used.slice(50)).toEqual(range(10_000).slice(50));
  expect(asked.flat()).toEqual(used.slice(50));
  expect(Math.max(...asked.map(({ length }) => length))).toBeLessThanOrEqual(200);
  expect(steps).toBeGreaterThan(50);
});

it("revisions that are far from all others leave windows small enough", () => {
  const asked: number[][] = [];
  const revisions = [...range(10), ...range(1000).map((revision) => 1_000_000 + 7 * revision)];
  const used = [...windowsToRead(objectsOf(revisions, asked))].flatMap((window) => revisionsOf(window?.objects ?? []));
  expect(used).toEqual(revisions);
});
