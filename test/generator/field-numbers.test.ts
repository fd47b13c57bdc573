import { describe, expect, it } from "vitest";
import { artifact, BOOK, definition, generateFrom } from "./fixture.ts";

const NUMBERS = "api-definitions/library/v1/field-numbers.json";

function book(fields: string): string {
  return definition(`export interface Book extends Namespaced { ${fields} }
export const book = kind<Book>({ plural: "books" });`);
}

/** Generates repeatedly, each time with the numbers of the previous generation. */
function evolve(...versions: string[]): { numbers: string; rewritten: boolean } {
  let numbers = "{}";
  let rewritten = false;
  for (const fields of versions) {
    const [written] = generateFrom({ [BOOK]: book(fields), [NUMBERS]: numbers }).fieldNumbers;
    rewritten = written !== undefined;
    numbers = written?.text ?? numbers;
  }
  return { numbers, rewritten };
}

describe("field numbers", () => {
  it("are given in order to the fields of a new type; metadata is the first", () => {
    expect(JSON.parse(evolve("title: string; author: string").numbers).Book.fields).toEqual({
      metadata: 1,
      title: 2,
      author: 3,
    });
  });

  it("stay when fields are reordered, and nothing is written", () => {
    const { numbers, rewritten } = evolve("title: string; author: string", "author: string; title: string");
    expect(JSON.parse(numbers).Book.fields).toEqual({ metadata: 1, title: 2, author: 3 });
    expect(rewritten).toBe(false);
  });

  it("give a new field the next number, wherever it is written", () => {
    const { numbers } = evolve("title: string; author: string", "title: string; year: Int32; author: string");
    expect(JSON.parse(numbers).Book.fields).toEqual({ metadata: 1, title: 2, author: 3, year: 4 });
  });

  it("reserve what a removed field had and never use it again", () => {
    const { numbers } = evolve("title: string; author: string", "title: string", "title: string; year: Int32");
    expect(JSON.parse(numbers).Book).toEqual({
      fields: { metadata: 1, title: 2, year: 4 },
      reserved: [{ number: 3, name: "author" }],
    });
  });

  it("show what is reserved in the protobuf definition", () => {
    const { numbers } = evolve("title: string; author: string", "title: string");
    const generation = generateFrom({ [BOOK]: book("title: string"), [NUMBERS]: numbers });
    expect(artifact(generation, "generated/protobuf/library.v1.proto")).toContain('reserved 3;\n  reserved "author";');
  });

  it("are not given to what never travels as protobuf", () => {
    const numbers = '{ "Book": { "fields": {}, "offWire": true } }';
    const generation = generateFrom({ [BOOK]: book("title: string"), [NUMBERS]: numbers });
    expect(generation.fieldNumbers).toEqual([]);
    expect(artifact(generation, "generated/types/library.v1.json")).not.toContain(
      '"title","type":"string","required":true,"always":true,"number"',
    );
  });
});
