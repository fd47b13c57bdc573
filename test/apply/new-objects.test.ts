import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FieldSet } from "../../runtime/apply/fieldpath/field-set.ts";
import { fieldElement } from "../../runtime/apply/fieldpath/path-element.ts";
import { compare, compareSteps } from "../../runtime/apply/typed/compare.ts";
import type { Comparison } from "../../runtime/apply/typed/comparison.ts";
import { ListItemError } from "../../runtime/apply/typed/list-items.ts";
import {
  DEDUCED,
  type ListType,
  type MapType,
  type MergeField,
  type ScalarType,
} from "../../runtime/contract/merge-schema.ts";
import { noteGivenEmpty } from "../../runtime/go/source-notes.ts";
import { atOnce } from "../../runtime/lib/in-turns.ts";
import type { JsonObject } from "../../runtime/lib/json-object.ts";

const text: ScalarType = { kind: "scalar", of: "string" };
const number: ScalarType = { kind: "scalar", of: "number" };
const struct = (fields: Readonly<Record<string, MergeField>>): MapType => ({
  kind: "map",
  topology: "granular",
  fields: new Map(Object.entries(fields)),
});
const always = (type: MergeField["type"]): MergeField => ({ type, alwaysPresent: true });
const labels: MapType = { kind: "map", topology: "granular", fields: new Map(), element: text };
const args: ListType = { kind: "list", topology: "atomic", keys: [], element: text };
const finalizers: ListType = { kind: "list", topology: "set", keys: [], element: text };
const part = struct({ name: always(text), size: always(number), args: { type: args }, labels: { type: labels } });
const parts: ListType = { kind: "list", topology: "map", keys: ["name"], element: part };
const spec = struct({
  parts: always(parts),
  optional: { type: parts },
  labels: always(labels),
  args: always(args),
  finalizers: always(finalizers),
  size: always(number),
  inner: always(part),
  raw: { type: DEDUCED },
  untyped: always(DEDUCED),
});
const type = struct({ apiVersion: { type: text }, kind: { type: text }, spec: always(spec), status: always(part) });

const bare = { apiVersion: "v1", kind: "Thing" };

function paths(set: FieldSet): string[] {
  return [...set.paths()].map((path) => path.join(" "));
}

function shown({ added, removed, modified }: Comparison) {
  return { added: paths(added), removed: paths(removed), modified: paths(modified) };
}

function resultOf(compared: () => Comparison): unknown {
  try {
    return shown(compared());
  } catch (error) {
    if (error instanceof ListItemError) return error.message;
    throw error;
  }
}

/** The comparison in steps uses no cache. */
function expectRight(before: JsonObject, after: JsonObject): void {
  const options = { wholeObjects: true };
  const right = resultOf(() => atOnce(compareSteps(type, before, after, options)));
  for (const _time of [1, 2])
    expect(
      resultOf(() => compare(type, before, after, options)),
      JSON.stringify(after),
    ).toEqual(right);
}

const word = fc.constantFrom("", "a", "b");
const size = fc.constantFrom(0, 1, null);
const anyLabels = fc.constantFrom(null, {}, { a: "" }, { a: "x", b: "y" }, { a: undefined, b: "y" });
const anyArgs = fc.constantFrom(null, [], ["a"], ["a", "a"]);
const anyPart = fc.record({ name: word, size, args: anyArgs, labels: anyLabels }, { requiredKeys: [] });
const anyParts = fc.oneof(fc.constant(null), fc.array(anyPart, { maxLength: 3 }));
const anything = fc.constantFrom(null, 0, "", [], [{ a: 1 }], {}, { a: 1 }, { a: { b: [] } }, { a: undefined });
const anySpec = fc.record(
  {
    parts: anyParts,
    optional: anyParts,
    labels: anyLabels,
    args: anyArgs,
    finalizers: anyArgs,
    size,
    inner: fc.oneof(fc.constant(null), anyPart),
    raw: anything,
    untyped: anything,
  },
  { requiredKeys: [] },
);
const anyObject = fc.record({ spec: fc.oneof(fc.constant(null), anySpec), status: anyPart }, { requiredKeys: [] });

describe("what a new object differs in from one with nothing set", () => {
  it("is right whichever objects were compared before", () => {
    fc.assert(
      fc.property(anyObject, (object) => expectRight(bare, { ...bare, ...object } as unknown as JsonObject)),
      { numRuns: 1000 },
    );
  });

  it("is the same result for objects with the same paths", () => {
    const named = (name: string) => ({ ...bare, spec: { parts: [{ name: "a", args: [name] }], size: 2 } });
    const [one, other] = ["x", "y"].map((name) => compare(type, bare, named(name), { wholeObjects: true }));
    expect(one).toBe(other);
    expect(shown(one as Comparison).modified).toEqual(["f:spec f:size"]);
    expect(shown(one as Comparison).added).toContain('f:spec f:parts k:{"name":"a"} f:args');
  });

  it("depends on which fields have their zero values", () => {
    for (const value of [0, 1, 0, 2, null]) expectRight(bare, { ...bare, spec: { size: value } });
    for (const value of [null, [], ["a"], null]) expectRight(bare, { ...bare, spec: { args: value } });
  });

  it("depends on lists that were sent empty", () => {
    const given = { spec: { parts: null } };
    expectRight(bare, { ...bare, ...given });
    noteGivenEmpty(given.spec, "parts", []);
    expectRight(bare, { ...bare, ...given });
    expect(shown(compare(type, bare, { ...bare, ...given }, { wholeObjects: true })).modified).toEqual([
      "f:spec f:parts",
    ]);
  });

  it("is not taken for what changes an object of another kind or with content", () => {
    const next = { ...bare, spec: { size: 1 } };
    for (const before of [{ ...bare, kind: "Other" }, { ...bare, spec: { size: 1 } }, { ...bare, spec: {} }, {}, bare])
      expectRight(before, next);
    expectRight(bare, { spec: { size: 1 } });
  });

  describe("is cached", () => {
    const open: MapType = { ...struct({}), element: DEDUCED };
    const withNames = (count: number, last: string) => ({
      ...bare,
      ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`name${index}`, 1])),
      [last]: 1,
    });
    const compared = (object: JsonObject) => compare(open, bare, object, { wholeObjects: true });

    it("for objects with some names", () => {
      expect(compared(withNames(100, "a"))).toBe(compared(withNames(100, "a")));
    });

    it("not for objects with thousands of names", () => {
      expect(compared(withNames(5000, "a"))).not.toBe(compared(withNames(5000, "a")));
      expect(shown(compared(withNames(5000, "a"))).added).toHaveLength(5001);
    });

    it("for a limited number of names, also where objects differ in the last one only", () => {
      const first = compared(withNames(1000, "first"));
      expect(compared(withNames(1000, "first"))).toBe(first);
      for (let i = 0; i < 50; i++) compared(withNames(1000, `other${i}`));
      expect(compared(withNames(1000, "first"))).not.toBe(first);
    });

    it("with the paths that other objects share, not with copies of them", () => {
      const long = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}${"x".repeat(400)}`, 1]));
      const [one, other] = ["a", "b"].map((name) => compared({ ...bare, shared: { deep: long }, [name]: 1 }));
      const shared = fieldElement("shared");
      expect(one?.added.nodes.get(shared)).toBe(other?.added.nodes.get(shared));
    });
  });
});
