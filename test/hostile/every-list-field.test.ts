import { beforeAll, describe, expect, it, vi } from "vitest";
import type { TypeRef } from "../../runtime/contract/type-table.ts";
import { AlignmentBudget } from "../../runtime/go/diff/align-lists.ts";
import { types } from "../kinds/conversions/converters.ts";
import { RandomObjects, randomFrom } from "../kinds/conversions/random-objects.ts";
import { countVisits } from "./count-visits.ts";
import { type FieldPath, fieldPathsOf, getAt, setAt } from "./field-paths.ts";
import { handle, kinds, loadHooks } from "./handle-object.ts";
import { setEntries } from "./list-entries.ts";

/**
 * Every list and map of every type gets n, 2n and 4n entries, in new and in changed objects: equal ones, distinct ones, and the same ones
 * in another order. Counted are the entries that decoding, defaults, validation and hooks visit, which shows a search inside of a loop
 * at small sizes already. Kinds share most of their types: each field is tried in the first kind that has it.
 */
const SIZE = 8;
/** `HOSTILE_SEED` creates other objects around the lists. */
const SEED = Number(process.env.HOSTILE_SEED ?? 1);
/** Visits for each pair of entries that count as one: with fewer, it is not every entry that is compared with every other. */
const MOST_PER_PAIR = 0.2;

/** Returns the index of each entry. Entries without one are equal. */
type Entries = (size: number) => (number | undefined)[];
const EQUAL: Entries = (size) => Array.from({ length: size }, () => undefined);
const DISTINCT: Entries = (size) => Array.from({ length: size }, (_, index) => index);
const REVERSED: Entries = (size) => DISTINCT(size).reverse();
/** Returns the entries of the object, and of its previous state. */
const PAIRS: readonly (readonly [Entries, Entries])[] = [
  [EQUAL, EQUAL],
  [DISTINCT, EQUAL],
  [EQUAL, DISTINCT],
  [DISTINCT, REVERSED],
];

const made = new Map<string, Record<string, unknown>>();
function randomObject(kind: string, seed: number): Record<string, unknown> {
  const key = `${kind} ${seed}`;
  const object = made.get(key) ?? new RandomObjects(types, randomFrom(seed)).object(kind as TypeRef);
  object.metadata = { name: "a" };
  made.set(key, object);
  return object;
}

function withEntries(kind: string, path: FieldPath, seed: number, entries: Entries, size: number): object {
  const object = structuredClone(randomObject(kind, seed));
  setEntries(types, object, path, randomFrom(seed), entries(size));
  return object;
}

/** Visits for each pair of entries: the part that is not proportional to the number of entries. */
function visitsPerPair(visits: (size: number) => number, size = SIZE): number {
  const [one, two, four] = [visits(size), visits(2 * size), visits(4 * size)] as [number, number, number];
  const perPair = (four - two - 2 * (two - one)) / (6 * size * size);
  // Limits of the number of entries change the work only once, so they have no effect at four times the size.
  return perPair > MOST_PER_PAIR && size === SIZE ? visitsPerPair(visits, 4 * size) : perPair;
}

const tried = new Set<string>();
beforeAll(async () => {
  await loadHooks();
  // Diffs in messages align short lists optimally, which compares all pairs, and long ones by position: here, all of them.
  vi.spyOn(AlignmentBudget.prototype, "allows").mockReturnValue(false);
});

describe("the entries of a long list or map are not compared with each other, one by one", () => {
  it.each(kinds)("in %s", (kind) => {
    const failures = new Set<string>();
    const refused = new Set<string>();
    const slow: string[] = [];
    for (const path of fieldPathsOf(types, kind as TypeRef)) {
      if ((path.is !== "list" && path.is !== "map") || tried.has(path.place)) continue;
      tried.add(path.place);
      // Values that are created only once, such as decoders, are created now.
      handle(
        kind,
        [withEntries(kind, path, SEED, DISTINCT, 2), withEntries(kind, path, SEED + 7, DISTINCT, 2)],
        failures,
      );
      const most = Math.max(
        ...PAIRS.map(([now, before]) =>
          visitsPerPair((size) => {
            const objects: [object, object] = [
              withEntries(kind, path, SEED, now, size),
              withEntries(kind, path, SEED + 7, before, size),
            ];
            return countVisits(() => {
              const refusal = handle(kind, objects, failures);
              if (refusal !== undefined) refused.add(`${path.steps.join(".")}: ${refusal}`);
            });
          }),
        ),
      );
      if (most > MOST_PER_PAIR)
        slow.push(`${path.steps.join(".")}: ${most.toFixed(1)} visits for each pair of entries`);
    }
    expect({ slow, failures: [...failures], refused: [...refused] }).toEqual({ slow: [], failures: [], refused: [] });
  });
});

/** Gives every list and map of an object this number of entries. Nested lists and maps are filled only in the first entry. */
function withAllEntries(kind: string, paths: readonly FieldPath[], seed: number, entries: Entries, size: number) {
  const object = structuredClone(randomObject(kind, seed));
  for (const path of paths) {
    setEntries(types, object, path, randomFrom(seed), entries(size));
    // Copies of an entry share what it holds.
    const first = [...path.steps, path.is === "list" ? "[]" : "{}"];
    setAt(object, first, structuredClone(getAt(object, first)));
  }
  return object;
}

describe("the entries of a long list or map are not compared with those of another one, one by one", () => {
  it.each(kinds)("in %s", (kind) => {
    const paths = fieldPathsOf(types, kind as TypeRef).filter(({ is }) => is === "list" || is === "map");
    const failures = new Set<string>();
    const perPair = visitsPerPair((size) => {
      const objects: [object, object] = [
        withAllEntries(kind, paths, SEED, DISTINCT, size),
        withAllEntries(kind, paths, SEED + 7, REVERSED, size),
      ];
      return countVisits(() => void handle(kind, objects, failures));
    });
    expect({ perPair: perPair > MOST_PER_PAIR ? perPair : 0, failures: [...failures] }).toEqual({
      perPair: 0,
      failures: [],
    });
  });
});

describe("the count of visits", () => {
  const list = (size: number) => Array.from({ length: size }, (_, index) => index);
  it.each<[string, (entries: number[]) => unknown]>([
    ["includes", (entries) => entries.filter((entry) => !entries.includes(-entry))],
    [
      "a nested loop",
      (entries) => {
        for (const _ of entries) for (const __ of entries);
      },
    ],
    [
      "a copy in a loop",
      (entries) => {
        let all: number[] = [];
        for (const entry of entries) all = [...all, entry];
        return all;
      },
    ],
    [
      "find in a mapped list",
      (entries) => {
        const names = entries.map(String);
        for (const name of names) names.find((other) => other === `${name}!`);
      },
    ],
    [
      "keys in a loop",
      (entries) => {
        const map = Object.fromEntries(entries.map((entry) => [`k${entry}`, 1]));
        for (const _ of entries) Object.keys(map);
      },
    ],
  ])("shows %s", (_what, run) => {
    expect(visitsPerPair((size) => countVisits(() => run(list(size))))).toBeGreaterThan(0.4);
  });

  it("of a loop with a set is linear", () => {
    const run = (entries: number[]) => {
      const seen = new Set<number>();
      for (const entry of entries) if (!seen.has(entry)) seen.add(entry);
    };
    expect(visitsPerPair((size) => countVisits(() => run(list(size))))).toBe(0);
  });
});
