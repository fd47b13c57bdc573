import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseOwnText } from "../../runtime/encoding/json/parse-own-json.ts";
import { endOfValue, findMember } from "../../runtime/encoding/json/parse-stored-object.ts";
import { stringifyJson } from "../../runtime/encoding/json/stringify-json.ts";
import { viewJson } from "../../runtime/encoding/json/view-json.ts";

type Members = { readonly [key: string]: unknown };

/** Makes objects and lists so long that they are not parsed as a whole. */
const FILLER = "x".repeat(800);
const TRICKY = [
  '}]},"s',
  "}],",
  '],"n',
  "[",
  "]",
  "\\",
  '"',
  "ä😀",
  "<&>\u2028",
  "__proto__",
  "constructor",
  "1",
  "f:x]",
];

const key = fc.oneof(fc.constantFrom("managedFields", "metadata", "spec", "a", "b", ...TRICKY), fc.string());
const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1.5,
    1e21,
    9_007_199_254_740_993n,
    -9_223_372_036_854_775_808n,
    FILLER,
  ),
  fc.constantFrom(...TRICKY),
  fc.string(),
  fc.integer(),
);
const { value } = fc.letrec<{ value: unknown; object: object }>((tie) => ({
  value: fc.oneof({ depthSize: "large", maxDepth: 6 }, scalar, fc.array(tie("value"), { maxLength: 4 }), tie("object")),
  object: fc
    .array(fc.tuple(key, tie("value")), { maxLength: 6 })
    .map((members) => Object.fromEntries(members) as object),
}));
const object = fc
  .array(fc.tuple(key, value), { maxLength: 6 })
  .map((members) => Object.fromEntries(members) as Members);

const jsonOf = (of: unknown) => Buffer.from(stringifyJson(of));
const parsed = (json: Buffer) => parseOwnText(json.toString("utf8"));

/** Reads a value in ways that depend on a seed. Returns what was read. */
function look(at: unknown, seed: number, names: readonly string[]): unknown {
  if (typeof at !== "object" || at === null) return at;
  const of = at as Record<string, unknown> & unknown[];
  const name = names[seed % names.length] as string;
  const next = Math.imul(seed, 31) >>> 1;
  switch (seed % 11) {
    case 0:
      return Object.keys(of);
    case 1:
      return Array.isArray(of) ? [of.length, of.map((item) => look(item, next, names))] : look(of[name], next, names);
    case 2:
      return [name in of, Object.hasOwn(of, name), look(of[name], next, names)];
    case 3:
      return Object.entries(of).map(([each, member]) => [each, look(member, next, names)]);
    case 4:
      return shown(of);
    case 5:
      return Array.isArray(of) ? [...of, of.at(-1), of.length] : { ...(of as object) };
    case 6:
      return [Array.isArray(of), Object.getPrototypeOf(of) === Object.getPrototypeOf(Array.isArray(of) ? [] : {})];
    case 7:
      return names.map((each) => look(of[each], next, names));
    case 8:
      return Object.getOwnPropertyDescriptor(of, name);
    case 9: {
      const member = of[name];
      return [of[name] === member, look(member, next, names), Object.keys(of)];
    }
    default:
      return Array.isArray(of) ? [of.length, of.filter((item) => item !== null).length, of.concat([1])] : textOf(of);
  }
}

/** Returns the object as a string, or why that fails: it may have a member `toString`. */
function textOf(object: object): string {
  try {
    return String(object);
  } catch (error) {
    return (error as Error).message;
  }
}

/** Includes the order of members, and values that JSON does not have. */
function shown(seen: unknown): string {
  const other = (_key: string, part: unknown) =>
    typeof part === "bigint" || typeof part === "function" || part === undefined ? `${typeof part} ${part}` : part;
  return JSON.stringify(seen, other);
}

describe("a view of JSON", () => {
  it("reads like the parsed object, whatever is read in whatever order", () => {
    fc.assert(
      fc.property(object, fc.array(fc.nat(), { minLength: 1, maxLength: 8 }), (of, seeds) => {
        const json = jsonOf(of);
        const view = viewJson(json);
        const whole = parsed(json);
        const names = [...Object.keys(of), "a", "toString", "length", "0"];
        for (const seed of seeds) expect(shown(look(view, seed, names))).toBe(shown(look(whole, seed, names)));
        expect(stringifyJson(view)).toBe(json.toString("utf8"));
      }),
      { numRuns: 1500 },
    );
  });

  it("parses nothing that is not read", () => {
    const text = stringifyJson({ a: { b: [{ c: 1, d: FILLER }, FILLER], e: "f" }, g: FILLER, h: [1, { i: FILLER }] });
    const view = viewJson(Buffer.from(text.replace('"c":1', '"c":?'))) as {
      a: { b: Members[]; e: string };
      h: unknown[];
    };
    expect([view.a.e, view.h.length, view.a.b.length, view.a.b[0]?.d]).toEqual(["f", 2, 2, FILLER]);
    expect(() => view.a.b[0]?.c).toThrow(SyntaxError);
  });

  it("reads lists that are deep in each other", () => {
    const depth = 20_000;
    const view = viewJson(Buffer.from(`{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`)) as { a: unknown[] };
    expect(view.a.length).toBe(1);
  });

  it("with many members takes time in proportion to what is read", () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `name${index}`);
    const json = jsonOf({ spec: Object.fromEntries(names.map((name) => [name, name])) });
    const { spec } = viewJson(json) as { spec: Members };
    const started = process.cpuUsage();
    const read = names.map((name) => spec[`no-${name}`] ?? spec[name]);
    const { user, system } = process.cpuUsage(started);
    expect(read).toEqual(names);
    expect((user + system) / 1000).toBeLessThan(1000);
    expect(Object.keys(spec)).toEqual(names);
  });

  it("cannot be changed", () => {
    const view = viewJson(jsonOf({ a: { b: FILLER }, c: 1 })) as { a: Record<string, unknown>; c: number };
    expect(() => Object.assign(view, { c: 2 })).toThrow(TypeError);
    expect(() => Object.assign(view.a, { d: 1 })).toThrow(TypeError);
    expect(() => delete view.a.b).toThrow(TypeError);
    expect(() => Object.freeze(view.a)).toThrow(TypeError);
    expect(view).toEqual({ a: { b: FILLER }, c: 1 });
  });
});

describe("the end of managedFields", () => {
  it("is that of the list, whatever the list holds", () => {
    const items = fc.array(fc.oneof(value, fc.record({ manager: fc.constantFrom(...TRICKY), fieldsV1: value })));
    const after = fc.constantFrom<Members>({}, { name: "a" }, { "]": 1 }, { ä: [] });
    fc.assert(
      fc.property(items, after, fc.boolean(), value, (managedFields, rest, isLast, spec) => {
        const metadata = { ...(isLast && rest), managedFields, ...(!isLast && rest) };
        const json = jsonOf({ metadata, spec });
        const found = findMember(json, 0, Buffer.from('"metadata"'));
        expect(json.toString("utf8", found?.start, found?.end)).toBe(stringifyJson(metadata));
        const list = findMember(json, found?.start ?? 0, Buffer.from('"managedFields"'));
        expect(json.toString("utf8", list?.start, list?.end)).toBe(stringifyJson(managedFields));
      }),
      { numRuns: 1000 },
    );
  });

  it("of a hundred thousand lists in each other is found in one pass", () => {
    const depth = 100_000;
    const json = Buffer.from(`${'{"managedFields":['.repeat(depth)}${"]}".repeat(depth)}`);
    const started = process.cpuUsage();
    expect(endOfValue(json, 0)).toBe(json.length);
    expect(viewJson(json)).toBeDefined();
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1000).toBeLessThan(2000);
  });
});
