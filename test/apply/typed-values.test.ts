import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FieldSet } from "../../runtime/apply/fieldpath/field-set.ts";
import { printPath } from "../../runtime/apply/fieldpath/path.ts";
import { compare } from "../../runtime/apply/typed/compare.ts";
import { merge } from "../../runtime/apply/typed/merge.ts";
import { removeItems } from "../../runtime/apply/typed/remove-items.ts";
import { toFieldSet } from "../../runtime/apply/typed/to-field-set.ts";
import { validate, validateSteps } from "../../runtime/apply/typed/validate.ts";
import type { MergeType } from "../../runtime/contract/merge-schema.ts";
import { atOnce } from "../../runtime/lib/in-turns.ts";
import type { JsonObject, JsonValue } from "../../runtime/lib/json-object.ts";
import { apply, ownersOf, steps, World } from "./fixtures/steps.ts";
import { SPEC_FIELDS, struct } from "./fixtures/thing.ts";

const SPEC = struct(SPEC_FIELDS);
const word = fc.constantFrom("a", "b", "c", "__proto__");
const unique = (value: fc.Arbitrary<string>) => fc.uniqueArray(value, { maxLength: 3 });

/** A valid spec: entries with distinct keys. */
const content: fc.Arbitrary<JsonObject> = fc.record(
  {
    text: word,
    number: fc.integer({ min: 0, max: 3 }),
    either: fc.oneof(word, fc.nat(2)),
    set: unique(word),
    list: fc.array(word, { maxLength: 2 }),
    labels: fc.dictionary(word, word, { maxKeys: 3 }),
    config: fc.dictionary(word, word, { maxKeys: 2 }),
    struct: fc.record({ a: word, b: word, inner: fc.record({ x: word }, { requiredKeys: [] }) }, { requiredKeys: [] }),
    whole: fc.record({ a: word }, { requiredKeys: [] }),
    entries: fc.uniqueArray(fc.record({ name: word, value: word, tags: unique(word) }, { requiredKeys: ["name"] }), {
      selector: (entry) => entry.name,
      maxLength: 3,
    }),
    free: fc.oneof(
      word,
      fc.dictionary(word, fc.oneof(word, fc.array(word), fc.dictionary(word, word)), { maxKeys: 2 }),
    ),
    raw: fc.oneof(word, fc.dictionary(word, word, { maxKeys: 2 })),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

const paths = (set: FieldSet) => [...set.paths()].map(printPath).sort();

describe("typed values", () => {
  it("are equal to themselves", () => {
    fc.assert(
      fc.property(content, (value) => {
        const { added, removed, modified } = compare(SPEC, value, structuredClone(value));
        expect([added.size, removed.size, modified.size]).toEqual([0, 0, 0]);
        expect(validate(SPEC, value)).toEqual([]);
      }),
    );
  });

  it("have the same mismatches if they are checked in several turns", () => {
    const anything = fc.oneof(word, fc.nat(2), fc.constant(null), fc.array(fc.oneof(word, fc.nat(2), fc.constant({}))));
    const wrong = fc.tuple(content, fc.dictionary(fc.constantFrom(...Object.keys(SPEC_FIELDS), "unknown"), anything));
    fc.assert(
      fc.property(wrong, fc.boolean(), ([right, other], allowDuplicates) => {
        const value = { ...right, ...other } as JsonObject;
        const steps = validateSteps(SPEC, value, { allowDuplicates });
        expect(atOnce(steps)).toEqual(validate(SPEC, value, { allowDuplicates }));
      }),
    );
    const entries = Array.from({ length: 2000 }, (_, index) => ({ name: `n${index % 1999}`, value: index }));
    const steps = validateSteps(SPEC, { entries } as JsonObject);
    expect(steps.next().done).toBe(false);
    const mismatches = atOnce(steps);
    expect(mismatches).toHaveLength(2001);
    expect(mismatches).toEqual(validate(SPEC, { entries } as JsonObject));
  });

  it.each([
    ["strings only", {}],
    ["a number", { n1500: 1 }],
  ])("are checked in several turns if they are long maps with %s", (_what, other) => {
    const type: MergeType = {
      kind: "map",
      topology: "granular",
      fields: new Map(),
      element: { kind: "scalar", of: "string" },
    };
    const strings = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`n${index}`, "v"]));
    const value = { ...strings, ...other };
    const steps = validateSteps(type, value);
    for (let step = 0; step < 3; step++) expect(steps.next().done).toBe(false);
    expect(atOnce(steps)).toEqual(validate(type, value));
    expect(validate(type, value)).toHaveLength(Object.keys(other).length);
  });

  it("have the opposite difference in the opposite direction", () => {
    fc.assert(
      fc.property(content, content, (a, b) => {
        const there = compare(SPEC, a, b);
        const back = compare(SPEC, b, a);
        expect(paths(there.added)).toEqual(paths(back.removed));
        expect(paths(there.modified)).toEqual(paths(back.modified));
        expect(there.added.intersection(there.removed).size).toBe(0);
        expect(there.added.intersection(there.modified).size).toBe(0);
      }),
    );
  });

  it("contain every value that is merged into them", () => {
    fc.assert(
      fc.property(content, content, (live, config) => {
        const merged = merge(SPEC, live, config) as JsonValue;
        expect(merge(SPEC, merged, config)).toBe(merged);
        const change = compare(SPEC, merged, merge(SPEC, merged, config) as JsonValue);
        expect(change.modified.size).toBe(0);
        const wanted = toFieldSet(SPEC, config).leaves();
        expect(paths(wanted.difference(toFieldSet(SPEC, merged)).difference(emptyLeaves(config)))).toEqual([]);
      }),
    );
  });

  it("are unchanged if nothing is merged or removed", () => {
    fc.assert(
      fc.property(content, (value) => {
        expect(merge(SPEC, value, structuredClone(value))).toEqual(value);
        expect(removeItems(SPEC, value, FieldSet.EMPTY)).toBe(value);
        expect(merge(SPEC, value, {})).toBe(Object.keys(value).length === 0 ? merge(SPEC, value, {}) : value);
      }),
    );
  });

  it("lose exactly the removed fields", () => {
    fc.assert(
      fc.property(content, content, (value, other) => {
        const all = toFieldSet(SPEC, value);
        const unwanted = all.intersection(toFieldSet(SPEC, other));
        const rest = toFieldSet(SPEC, removeItems(SPEC, value, unwanted));
        expect(rest.intersection(unwanted).isEmpty).toBe(true);
      }),
    );
  });

  it("can change their type where there is no schema, and ownership follows", () => {
    const { added, modified, removed } = compare(
      SPEC,
      { free: { a: "1", b: { c: "2" } } },
      { free: { a: "1", b: "2" } },
    );
    expect([paths(added), paths(modified), paths(removed)]).toEqual([[], [".free.b"], [".free.b.c"]]);
  });
});

/** Empty lists and maps over filled ones leave those as they are. */
function emptyLeaves(config: JsonObject): FieldSet {
  return toFieldSet(SPEC, config).difference(toFieldSet(SPEC, withoutEmpty(config) as JsonObject));
}

function withoutEmpty(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => !isEmpty(member));
  return Object.fromEntries(entries.map(([key, member]) => [key, withoutEmpty(member)]));
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

describe("applying", () => {
  it("twice has the same result as once", () => {
    fc.assert(
      fc.property(content, content, (first, second) => {
        const world = steps(apply("alpha", first), apply("beta", {}));
        apply("beta", second, {}, true)(world);
        const once = world.live;
        apply("beta", second, {}, true)(world);
        expect(world.live).toEqual(once);
      }),
      { numRuns: 200 },
    );
  });

  it("disjoint fields by several managers has the same result in any order", () => {
    const half = fc.dictionary(word, word, { maxKeys: 3 });
    fc.assert(
      fc.property(half, half, half, (a, b, c) => {
        const tell = (name: string, labels: Record<string, string>) =>
          Object.fromEntries(Object.entries(labels).map(([key, value]) => [`${name}-${key}`, value]));
        const writes: [string, JsonObject][] = [
          ["alpha", { labels: tell("a", a) }],
          ["beta", { labels: tell("b", b) }],
          ["gamma", { labels: tell("c", c) }],
        ];
        const run = (order: number[]) => {
          const world = new World();
          for (const index of order) apply(...(writes[index] as [string, JsonObject]))(world);
          return [world.live.spec, ownersOf(world.live)];
        };
        const [spec, owners] = run([0, 1, 2]);
        expect(run([2, 0, 1])).toEqual([spec, owners]);
        expect(run([1, 2, 0])).toEqual([spec, owners]);
      }),
      { numRuns: 100 },
    );
  });

  it("an empty configuration removes all fields that only the applier owned", () => {
    fc.assert(
      fc.property(content, (value) => {
        const world = steps(apply("alpha", value), apply("alpha", {}));
        expect(ownersOf(world.live)).toEqual({});
        expect(world.live.spec ?? {}).toEqual(expect.not.objectContaining({ text: expect.anything() }));
      }),
    );
  });

  it("works with names such as __proto__", () => {
    const hostile = JSON.parse(
      '{"labels":{"__proto__":"a","constructor":"b","toString":"c"},"free":{"__proto__":{"polluted":"yes"}}}',
    ) as JsonObject;
    const world = steps(apply("alpha", hostile), apply("beta", { labels: { valueOf: "x" } }), apply("alpha", {}));
    expect(world.live.spec).toEqual({ labels: { valueOf: "x" } });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
