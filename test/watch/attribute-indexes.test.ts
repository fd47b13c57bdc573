import { expect, it } from "vitest";
import { newSortedMap } from "../../runtime/lib/sorted-map.ts";
import { AttributeIndexes } from "../../runtime/watch/attribute-indexes.ts";
import type { CachedObject } from "../../runtime/watch/cached-object.ts";

const OBJECTS = 4000;
const hint = (value: string) => ({ kind: "label" as const, name: "app", value });
const keyOf = (index: number): string => `/registry/things/a/${String(index).padStart(5, "0")}`;

/** An object whose labels take some time to read. */
function slow(key: string, app: string): CachedObject {
  return {
    key,
    corruption: undefined,
    get labels() {
      const end = performance.now() + 0.02;
      while (performance.now() < end);
      return { app };
    },
  } as unknown as CachedObject;
}

function manyObjects() {
  const objects = newSortedMap<string, CachedObject>();
  for (let index = 0; index < OBJECTS; index++)
    objects.set(keyOf(index), slow(keyOf(index), index % 2 ? "odd" : "even"));
  return objects;
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("an index of many objects is built in several turns, and knows of objects that change meanwhile", async () => {
  const objects = manyObjects();
  const indexes = new AttributeIndexes();
  const change = (index: number, app: string | undefined): void => {
    const previous = objects.get(keyOf(index));
    const current = app === undefined ? undefined : slow(keyOf(index), app);
    if (current === undefined) objects.delete(keyOf(index));
    else objects.set(keyOf(index), current);
    indexes.replace(previous, current);
  };
  const building = indexes.prepare(hint("even"), objects);
  expect(building).toBeInstanceOf(Promise);
  expect(indexes.keysFor(hint("even"))).toBeUndefined();
  expect(indexes.prepare(hint("odd"), objects)).toBe(building);
  let isDone = false;
  void building?.then(() => {
    isDone = true;
  });
  let turns = 0;
  for (; !isDone; turns++) {
    // Older and newer than the added objects: changed, changed twice, deleted, new.
    const place = turns % 10;
    change(place, "other");
    change(OBJECTS - 1 - place, "even");
    change(OBJECTS - 1 - place, "other");
    change(OBJECTS - 100 - place, undefined);
    change(OBJECTS + place, "even");
    await nextTurn();
  }
  expect(turns).toBeGreaterThan(3);
  expect(indexes.prepare(hint("even"), objects)).toBeUndefined();
  const expected = new Map<string, string[]>();
  for (const { key, labels } of objects.values()) {
    const app = labels.app ?? "";
    expected.set(app, [...(expected.get(app) ?? []), key]);
  }
  for (const app of ["even", "odd", "other"])
    expect([...(indexes.keysFor(hint(app)) ?? [])].sort()).toEqual(expected.get(app));
});

it("an index of few objects is built at once", () => {
  const objects = newSortedMap<string, CachedObject>();
  for (let index = 0; index < 10; index++) objects.set(keyOf(index), slow(keyOf(index), "a"));
  const indexes = new AttributeIndexes();
  expect(indexes.prepare(hint("a"), objects)).toBeUndefined();
  expect(indexes.keysFor(hint("a"))?.size).toBe(10);
});

it("an index is built again after a read of an object has failed", async () => {
  const objects = manyObjects();
  const broken = { key: keyOf(OBJECTS), corruption: undefined } as unknown as CachedObject;
  Object.defineProperty(broken, "labels", {
    get: () => {
      throw new Error("the store is closed");
    },
  });
  objects.set(broken.key, broken);
  const indexes = new AttributeIndexes();
  await expect(indexes.prepare(hint("even"), objects)).rejects.toThrow("the store is closed");
  objects.delete(broken.key);
  await indexes.prepare(hint("even"), objects);
  expect(indexes.keysFor(hint("even"))?.size).toBe(OBJECTS / 2);
});
