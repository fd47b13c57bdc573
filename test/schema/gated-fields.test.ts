import { describe, expect, it } from "vitest";
import { createSchemas } from "../../runtime/schema/schemas.ts";
import { librarySource } from "../fixtures/library-tables.ts";

const book = createSchemas(librarySource).of("library/v1.Book");
const make = (...authors: object[]) => book.decode({ spec: { title: "Title", authors } });
const without =
  (...gates: string[]) =>
  (gate: string) =>
    !gates.includes(gate);

describe("fields of features that are off", () => {
  it("are dropped wherever they are", () => {
    const object = make({ name: "a", pseudonym: "x" }, { name: "b", prize: "y" });
    book.dropDisabledFields(object, undefined, without("Pseudonyms"));
    expect(object).toEqual(make({ name: "a" }, { name: "b", prize: "y" }));
    book.dropDisabledFields(object, undefined, without("Pseudonyms", "Prizes"));
    expect(object).toEqual(make({ name: "a" }, { name: "b" }));
  });

  it("stay while their gate is on", () => {
    const object = make({ name: "a", pseudonym: "x" });
    book.dropDisabledFields(object, undefined, without());
    expect(object).toEqual(make({ name: "a", pseudonym: "x" }));
  });

  it("stay in objects that use them already, in whichever entry", () => {
    const object = make({ name: "a", pseudonym: "x", prize: "y" });
    book.dropDisabledFields(object, make({ name: "b", pseudonym: "old" }), without("Pseudonyms", "Prizes"));
    expect(object).toEqual(make({ name: "a", pseudonym: "x" }));
  });
});
