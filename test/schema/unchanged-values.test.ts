import { expect, it } from "vitest";
import { createRuleCompiler } from "../../runtime/schema/cel-rules.ts";
import { createSchemas } from "../../runtime/schema/schemas.ts";
import { librarySource } from "../fixtures/library-tables.ts";

const book = createSchemas(librarySource, { compileRules: createRuleCompiler() }).of("library/v1.Book");
const make = (spec: object, more: object = {}) => book.decode({ spec, ...more });
const change = (old: object, next: object) =>
  book.validateUpdate(make(next), make(old)).map(({ field, message }) => `${field}: ${message.slice(0, 16)}`);

const WRONG = {
  title: "A",
  pages: 0,
  genre: "Odd",
  tags: ["x", "x"],
  authors: [{ name: "a" }, { name: "b" }, { name: "c" }, { name: "d" }],
  cover: { colour: "grey" },
  rooms: { hall: { colour: "grey" } },
};

it("what an update leaves as it was may break rules that came later", () => {
  expect(book.validate(make(WRONG))).toHaveLength(7);
  expect(book.validateUpdate(make(WRONG, { status: { readers: [1] } }), make(WRONG))).toEqual([]);
  expect(change(WRONG, { ...WRONG, score: 1 })).toEqual([]);
  expect(change(WRONG, { ...WRONG, tags: ["y", "y"], cover: { colour: "dim" } })).toEqual([
    "spec.tags[1]: Duplicate value:",
    "spec.cover.colour: Unsupported valu",
  ]);
  expect(change(WRONG, { ...WRONG, rooms: { ...WRONG.rooms, attic: { colour: "grey" } } })).toEqual([
    "spec.rooms[attic].colour: Unsupported valu",
  ]);
});

it("a field that is required is missed once something beside it changes", () => {
  const old = { title: "", pages: 3 };
  expect(book.validateUpdate(make(old, { status: { readers: [1] } }), make(old))).toEqual([]);
  expect(change(old, { ...old, pages: 4 })).toEqual(["spec.title: Required value"]);
});

it("a rule may fail while its value is unchanged, unless it looks at the old value", () => {
  const long = { title: "Long", genre: "Essay", pages: 9 };
  expect(book.validateUpdate(make(long, { status: { readers: [1] } }), make(long))).toEqual([]);
  expect(change(long, { ...long, score: 1 })).toEqual(['spec: Invalid value: "']);
  expect(change({ title: "Long", copies: 3 }, { title: "Long", copies: 2 })).toEqual(['spec: Invalid value: "']);
});
