import { describe, expect, it } from "vitest";
import { artifact, BOOK, definition, generateFrom, openApiOf } from "./fixture.ts";

const SOURCE = definition(`
/** A work that can be lent. */
export interface Book extends Namespaced {
  /** What is known of it. */
  spec: BookSpec & Rule<"self.copies >= 1", "a library without copies is no library">;
  /** Where its copies are. */
  status?: BookStatus & Always;
}
export interface BookSpec {
  /** The name on the cover. */
  title: string & MinLength<1> & Immutable;
  copies?: Int32 & Default<1> & Minimum<0>;
  isbn?: Bytes;
  subjects?: ListSet<string> & MaxItems<8>;
  chapters?: ListMap<Chapter, "name"> & PatchMerge<"name">;
  shelf?: MapAtomic<Quantity>;
  binding?: Binding & Default<"Soft">;
  cover?: StructAtomic<Chapter>;
  extra?: Json;
  parts?: string[] & PatchMerge;
}
export type Binding = "Soft" | "Hard";
export interface Chapter { name: string; page?: Int64 & OmitZero; language?: Open<"en" | "de"> & OmitZero }
export interface BookStatus { lentAt?: Time & Always; note?: string & Nullable & Gated<"LendingNotes"> }
export const book = kind<Book>({
  plural: "books", shortNames: ["bk"], categories: ["all"], introduced: "1.33",
  subresources: { status: true },
  columns: [{ name: "Title", type: "string", path: ".spec.title" }],
  selectableFields: ["spec.title"],
});`);

const generation = generateFrom({
  [BOOK]: SOURCE,
  "api-definitions/library/v1/book.hooks.ts": "export const hooks = {};",
});

describe("a small group", () => {
  it("has no diagnostics", () => {
    expect(generation.diagnostics.sorted()).toEqual([]);
  });

  for (const path of [
    "generated/types/library.v1.json",
    "generated/resources.json",
    "generated/resources/library.v1.ts",
    "generated/registry.ts",
    "generated/conversions.json",
    "generated/protobuf/library.v1.proto",
    "generated/openapi/modules.json",
    "generated/openapi/schemas/com.example.library.v1.json",
  ]) {
    it(`becomes ${path}`, async () => {
      const name = path.slice("generated/".length).replaceAll("/", "-");
      await expect(artifact(generation, path)).toMatchFileSnapshot(`./golden/${name}.txt`);
    });
  }

  for (const path of ["v3/apis/library.example.com/v1", "v2"]) {
    it(`is published as the OpenAPI document ${path}`, async () => {
      const text = JSON.stringify(openApiOf(generation, path), undefined, 1);
      await expect(text).toMatchFileSnapshot(`./golden/published-${path.replaceAll("/", "-")}.json.txt`);
    });
  }

  it("gets its first field numbers in the order fields are written", () => {
    const [numbers] = generation.fieldNumbers;
    expect(numbers?.path).toBe("api-definitions/library/v1/field-numbers.json");
    expect(JSON.parse(numbers?.text ?? "").Chapter).toEqual({ fields: { name: 1, page: 2, language: 3 } });
  });

  it("derives the list type from the strategic merge marker", () => {
    const table = JSON.parse(artifact(generation, "generated/types/library.v1.json"));
    const parts = table.types.BookSpec.fields.find((field: { name: string }) => field.name === "parts");
    expect(parts).toMatchObject({ patchStrategy: ["merge"], listType: "set" });
  });
});
