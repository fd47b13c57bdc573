import { describe, expect, it } from "vitest";
import { BOOK, definition, diagnose, GROUP } from "./fixture.ts";

const ITEM = "export interface Item { id?: string; name?: string & Default<''> }";

function list(type: string, publishesRules: boolean): string[] {
  const group = `import { group } from "../vocabulary.ts";
export const library = group({ name: "library.example.com", versions: ["v1"], kubernetes: ${!publishesRules} });`;
  const text = `${ITEM}\nexport interface Shelf { items?: ${type} }`;
  return diagnose("", { [GROUP]: group, [BOOK]: definition(text.replace("''", '""')) });
}

describe("a key that items of a list may leave out", () => {
  it.each(['ListMap<Item, "id">', 'Item[] & PatchMerge<"id">'])(
    "is refused wherever it is not declared: %s",
    (type) => {
      for (const publishesRules of [true, false])
        expect(list(type, publishesRules).join()).toContain("list key id of Item is optional and has no default");
    },
  );

  it.each(['ListMap<Item, "id"> & OptionalKeys', 'Item[] & PatchMerge<"id"> & OptionalKeys'])(
    "is declared by those who released it so, and by nobody else: %s",
    (type) => {
      expect(list(type, false)).toEqual([]);
      expect(list(type, true).join()).toContain("list key id of Item is optional and has no default");
    },
  );

  it("is never missing when it has a default", () => {
    expect(list('ListMap<Item, "name">', true)).toEqual([]);
    expect(list('ListMap<Item, "name"> & OptionalKeys', false).join()).toContain(
      "every key of items is required, so OptionalKeys has no effect",
    );
    expect(list("ListAtomic<Item> & OptionalKeys", false).join()).toContain(
      "every key of items is required, so OptionalKeys has no effect",
    );
  });
});
