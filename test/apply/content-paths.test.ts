import { describe, expect, it } from "vitest";
import { ContentPaths } from "../../runtime/apply/typed/content-paths.ts";
import { DEDUCED, type ListType, type MapType } from "../../runtime/contract/merge-schema.ts";
import type { JsonValue } from "../../runtime/lib/json-object.ts";

const ports: ListType = { kind: "list", topology: "map", keys: ["port"], element: DEDUCED };
const type: MapType = {
  kind: "map",
  topology: "granular",
  fields: new Map([["ports", { type: ports }]]),
  element: DEDUCED,
};

/** Each has other paths than the others. */
const values: readonly JsonValue[] = [
  {},
  { a: 1 },
  { a: 1, b: 1 },
  { a: { b: 1 } },
  { a: { b: { c: 1 } } },
  { a: { b: 1 }, c: 1 },
  { a: { b: 1, c: 1 } },
  { a: { b: 1 }, c: { d: 1 } },
  { ports: [{ port: 1 }] },
  { ports: [{ port: 1, name: "a" }] },
  { ports: [{ port: 2 }] },
  { ports: [{ port: 1 }, { port: 2 }] },
  { ports: [{ port: 1 }, { port: 1 }] },
  { 'k:{"port":1}': { port: 1 } },
  { "": 1 },
  { __proto__x: { constructor: 1 } },
];

describe("paths of values that resemble each other", () => {
  const paths = new ContentPaths(false);
  const expectAll = () => {
    for (const value of values)
      expect(paths.ofKnown(type, value), JSON.stringify(value)).toEqual(paths.of(type, value));
  };

  it("are not confused", () => {
    expectAll();
    const all = values.map((value) => paths.ofKnown(type, value));
    expect(new Set(all).size).toBe(values.length);
  });

  it("are the same objects for values with the same names", () => {
    const [one, other] = [1, "x"].map((value) =>
      paths.ofKnown(type, { a: { b: value }, empty: value === 1 ? {} : [] }),
    );
    expect(one).toBe(other);
  });

  it("are right after many others were met", () => {
    for (let i = 0; i < 10_000; i++) paths.ofKnown(type, { [`a${i}`]: { b: 1 } });
    expectAll();
  });

  it("are right for values with very many names", () => {
    const names = Array.from({ length: 3000 }, (_, index) => `name-${index}`);
    const large = Object.fromEntries(names.map((name) => [name, { x: 1 }]));
    const { [names[2999] as string]: _last, ...shorter } = large;
    for (const value of [large, shorter, large]) expect(paths.ofKnown(type, value)).toEqual(paths.of(type, value));
  });

  it("are not kept for names as long as a request, and not for ever for long ones", () => {
    const named = (name: string): JsonValue => ({ [name]: { x: 1 } });
    const huge = named("a".repeat(100_000));
    expect(paths.ofKnown(type, huge)).toEqual(paths.of(type, huge));
    expect(paths.ofKnown(type, huge)).not.toBe(paths.ofKnown(type, huge));
    const long = (index: number) => named(`${index}-${"a".repeat(20_000)}`);
    const first = paths.ofKnown(type, long(0));
    expect(paths.ofKnown(type, long(0))).toBe(first);
    for (let index = 1; index < 50; index++) paths.ofKnown(type, long(index));
    expect(paths.ofKnown(type, long(0))).not.toBe(first);
  });

  it("are not kept for ever if values of many types come", () => {
    const long = { ["a".repeat(20_000)]: { x: 1 } };
    const first = paths.ofKnown(type, long);
    for (let index = 0; index < 200; index++) paths.ofKnown({ ...type }, long);
    expect(paths.ofKnown(type, long)).not.toBe(first);
  });
});
