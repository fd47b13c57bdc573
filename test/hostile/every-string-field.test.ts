import { beforeAll, describe, expect, it } from "vitest";
import type { TypeRef } from "../../runtime/contract/type-table.ts";
import { types } from "../kinds/conversions/converters.ts";
import { type Random, RandomObjects, randomFrom } from "../kinds/conversions/random-objects.ts";
import { type FieldPath, fieldPathsOf, setAt } from "./field-paths.ts";
import { expectLinear } from "./growth.ts";
import { handle, kinds, loadHooks } from "./handle-object.ts";
import { setEntries } from "./list-entries.ts";

/**
 * Long strings in every field of every kind, and long lists and maps: decoding, defaults, validation of new and changed objects, table cells
 * and selectable fields take linear time, and nothing throws. Kinds share most of their types: each field of each type is tested in one kind,
 * and some fields of each kind once more. `HOSTILE_FIELDS=all` tests every field of every kind, `HOSTILE_SEED` other surrounding objects.
 */
const ALL = process.env.HOSTILE_FIELDS === "all";
const SEED = Number(process.env.HOSTILE_SEED ?? 1);
/** Strings in one object. */
const AT_ONCE = 40;
const STRING_LENGTH = 2000;
const LIST_LENGTH = 500;
/** One in this number of lists and maps is tested. `every-list-field.test.ts` counts the cost of each of them. */
const EVERY = ALL ? 1 : 10;

const SHAPES: readonly ((size: number) => string)[] = [
  (n) => "0".repeat(n),
  (n) => `${"1".repeat(n)}!`,
  (n) => `${"a".repeat(n)}!`,
  (n) => `a${"/".repeat(n)}b`,
  (n) => `a${".".repeat(n)}!`,
  (n) => "a.".repeat(n / 2),
  (n) => `${"-".repeat(n)}!`,
  (n) => `a${" ".repeat(n)}a`,
  (n) => "é😀".repeat(n / 3),
  (n) => `${":".repeat(n)}!`,
  (n) => "1:".repeat(n / 2),
  (n) => "[".repeat(n),
  (n) => "{.a".repeat(n / 3),
  (n) => "%".repeat(n),
  (n) => "%s".repeat(n / 2),
  (n) => '"\\'.repeat(n / 2),
  (n) => "a,".repeat(n / 2),
  (n) => "a=b,".repeat(n / 4),
  (n) => `https://${"a".repeat(n)}`,
  (n) => "1s".repeat(n / 2),
  (n) => "*".repeat(n),
  (n) => "../".repeat(n / 3),
  (n) => "\n ".repeat(n / 2),
  (n) => "-----BEGIN A-----\n".repeat(n / 18),
  (n) => Buffer.from("-----BEGIN A-----\n".repeat(n / 24)).toString("base64"),
  (n) => `(${"(".repeat(n)}`,
];

const failures = new Set<string>();
beforeAll(loadHooks);

const tried = new Set<string>();
/** Returns fields of a kind that no earlier kind has, and some others. */
function chosenOf(kind: string, random: Random, wanted: (path: FieldPath) => boolean): FieldPath[] {
  const paths = fieldPathsOf(types, kind as TypeRef).filter(wanted);
  const fresh = paths.filter(({ place }) => ALL || !tried.has(place));
  for (const { place } of fresh) tried.add(place);
  const others = paths.filter((path) => !fresh.includes(path));
  return [...fresh, ...others.filter(() => random() < 4 / others.length)];
}

/** Both the object and what it was before hold the strings, in different shapes. */
function withStrings(kind: string, paths: readonly FieldPath[], seed: number, size: number): [object, object] {
  return [seed, seed + 7].map((each) => {
    const random = randomFrom(each);
    const object = new RandomObjects(types, random).object(kind as TypeRef);
    object.metadata = { name: "a" };
    for (const [index, { steps }] of paths.entries()) {
      const shape = SHAPES[(index + each) % SHAPES.length] as (size: number) => string;
      setAt(object, steps, shape(size));
    }
    return object;
  }) as [object, object];
}

function withEntries(kind: string, path: FieldPath, seed: number, size: number): [object, object] {
  return [seed, seed + 7].map((each) => {
    const random = randomFrom(each);
    const object = new RandomObjects(types, random).object(kind as TypeRef);
    object.metadata = { name: "a" };
    const indexes = Array.from({ length: size }, (_, index) => (each % 2 === 0 ? undefined : index));
    setEntries(types, object, path, random, indexes);
    return object;
  }) as [object, object];
}

const shown = (path: FieldPath): string => path.steps.join(".");

async function linearIn(kind: string, paths: readonly FieldPath[], seed: number): Promise<string[]> {
  const isLinear = async (some: readonly FieldPath[]): Promise<string | undefined> => {
    try {
      await expectLinear(
        (size) => withStrings(kind, some, seed, size),
        (objects) => handle(kind, objects, failures),
        { size: STRING_LENGTH, boundMs: 4000 },
      );
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };
  if ((await isLinear(paths)) === undefined) return [];
  const slow: string[] = [];
  for (const path of paths) {
    const problem = await isLinear([path]);
    if (problem !== undefined) slow.push(`${kind} ${shown(path)}: ${problem}`);
  }
  return slow;
}

describe("a long string", () => {
  it.each(kinds)("in any field of %s is processed in linear time", async (kind) => {
    failures.clear();
    const random = randomFrom(SEED);
    const paths = chosenOf(kind, random, ({ is }) => is === "string");
    const slow: string[] = [];
    for (let at = 0; at < paths.length; at += AT_ONCE)
      slow.push(...(await linearIn(kind, paths.slice(at, at + AT_ONCE), SEED + at)));
    expect([slow, [...failures]]).toEqual([[], []]);
  });

  it.each(kinds)("for a time, a quantity or bytes in %s is rejected in linear time", async (kind) => {
    const paths = chosenOf(
      kind,
      () => 1,
      ({ is }) => is === "formed",
    );
    const slow: string[] = [];
    for (const [index, path] of paths.entries()) slow.push(...(await linearIn(kind, [path], SEED + index)));
    expect(slow).toEqual([]);
  });
});

describe("a long list or map", () => {
  it.each(kinds)("in %s is processed in linear time", async (kind) => {
    failures.clear();
    const paths = chosenOf(
      kind,
      () => 1,
      ({ is }) => is === "list" || is === "map",
    );
    const slow: string[] = [];
    for (const [index, path] of paths.entries()) {
      if ((index + SEED) % EVERY !== 0) continue;
      try {
        await expectLinear(
          (size) => withEntries(kind, path, SEED + index, size),
          (objects) => handle(kind, objects, failures),
          { size: LIST_LENGTH, boundMs: 4000 },
        );
      } catch (error) {
        slow.push(`${kind} ${shown(path)}: ${(error as Error).message}`);
      }
    }
    expect([slow, [...failures]]).toEqual([[], []]);
  });
});
