import fc from "fast-check";
import { expect, it } from "vitest";
import { parseWithout } from "../../runtime/encoding/json/parse-without.ts";

const PATHS = [
  ["metadata", "managedFields"],
  ["spec", "versions", "schema"],
];

function bytesOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** Computes the same result by parsing the whole object. */
function without(value: unknown, [name = "", ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? without(item, [name, ...rest]) : item));
  if (!isObject(value) || !Object.hasOwn(value, name)) return value;
  const { [name]: member, ...others } = value;
  return rest.length === 0 ? others : { ...value, [name]: without(member, rest) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

it("leaves out members wherever they are: first, last, alone, several in a row, or of all items of a list", () => {
  expect(parseWithout(bytesOf({ metadata: { managedFields: [{ a: "]}" }], name: "a" } }), PATHS)).toEqual({
    metadata: { name: "a" },
  });
  expect(parseWithout(bytesOf({ metadata: { name: "a", managedFields: [] }, spec: 1 }), PATHS)).toEqual({
    metadata: { name: "a" },
    spec: 1,
  });
  expect(parseWithout(bytesOf({ metadata: { managedFields: null } }), PATHS)).toEqual({ metadata: {} });
  const versions = [{ name: "v1", schema: { schema: '"},' } }, { schema: 1, served: true }, {}, [{ schema: 1 }], 7];
  expect(parseWithout(bytesOf({ spec: { versions, schema: 1 } }), PATHS)).toEqual({
    spec: { versions: [{ name: "v1" }, { served: true }, {}, [{ schema: 1 }], 7], schema: 1 },
  });
  expect(parseWithout(bytesOf({ a: 1, b: "ä\\", c: { d: 1 }, e: 2 }), [["b"], ["c"], ["e"]])).toEqual({ a: 1 });
  expect(parseWithout(bytesOf({ a: 1, b: 2, c: 3 }), [["a"], ["b"]])).toEqual({ c: 3 });
});

it("keeps everything else of any JSON", () => {
  const name = fc.constantFrom("metadata", "spec", "versions", "schema", "managedFields", 'q"\\', "é");
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.string(),
      fc.integer(),
      fc.constantFrom(null, true, 1.5, "\\", '"', "}],{"),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(name, tie("value"), { noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(value, (json) => {
      const expected = PATHS.reduce<unknown>((left, path) => (isObject(left) ? without(left, path) : left), json);
      expect(parseWithout(bytesOf(json), PATHS)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});
