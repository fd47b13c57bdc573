import { describe, expect, it } from "vitest";
import { artifact, BOOK, definition, generateFrom } from "./fixture.ts";

const OLD = "api-definitions/library/v1beta1/book.ts";
const CONVERSIONS = "api-definitions/library/conversions.ts";

function book(fields: string, declaration = ""): string {
  return definition(`export interface Book extends Namespaced { spec: BookSpec }
export interface BookSpec { ${fields} }
export const book = kind<Book>({ plural: "books", ${declaration} });`);
}

function conversions(argument: string): string {
  return `import { conversion } from "../conversion-vocabulary.ts";
import type { Book } from "./v1/book.ts";
import type { Book as BookV1beta1 } from "./v1beta1/book.ts";
export const bookV1beta1 = conversion<BookV1beta1, Book>(${argument});`;
}

describe("conversions", () => {
  it("cost nothing between versions of the same shape, whatever their rules", () => {
    const generation = generateFrom({ [BOOK]: book("title: string"), [OLD]: book("title: string & MaxLength<9>") });
    expect(JSON.parse(artifact(generation, "generated/conversions.json"))).toEqual([
      { from: "library/v1beta1.Book", hub: "library/v1.Book", how: "identical" },
    ]);
  });

  it("of a kind that is scaled say where each version keeps its replicas", () => {
    const scaled = (field: string) =>
      book(
        `${field}?: Int32`,
        `subresources: { scale: { specReplicasPath: ".spec.${field}", statusReplicasPath: ".spec.${field}", kind: "library.example.com/v1 Book" } }`,
      );
    const scalesOf = (files: { readonly [path: string]: string }) => {
      const catalogue = JSON.parse(artifact(generateFrom(files), "generated/resources.json"));
      return catalogue.resources.flatMap(({ subresources }: { subresources: { scale: object }[] }) =>
        subresources.map(({ scale }) => scale),
      );
    };
    const specReplicasByVersion = {
      "library.example.com/v1": ".spec.copies",
      "library.example.com/v1beta1": ".spec.size",
    };
    const rename = conversions('{ rename: { "spec.size": "spec.copies" } }');
    const files = { [BOOK]: scaled("copies"), [OLD]: scaled("size"), [CONVERSIONS]: rename };
    expect(scalesOf(files)).toMatchObject([{ specReplicasByVersion }, { specReplicasByVersion }]);
    expect(scalesOf({ [BOOK]: scaled("copies") })).toEqual([
      { specReplicas: ".spec.copies", statusReplicas: ".spec.copies" },
    ]);
  });

  it("carry declared renames as data", () => {
    const files = { [BOOK]: book("title: string"), [OLD]: book("name: string") };
    const generation = generateFrom({
      ...files,
      [CONVERSIONS]: conversions('{ rename: { "spec.name": "spec.title" } }'),
    });
    expect(generation.diagnostics.sorted()).toEqual([]);
    expect(JSON.parse(artifact(generation, "generated/conversions.json"))).toEqual([
      {
        from: "library/v1beta1.Book",
        hub: "library/v1.Book",
        how: "declared",
        rename: { "spec.name": "spec.title" },
        exact: true,
      },
    ]);
    expect(artifact(generation, "generated/registry.ts")).not.toContain("bookV1beta1");
  });

  it("wire functions by name", () => {
    const files = { [BOOK]: book("title: string"), [OLD]: book("name: string") };
    const functions =
      "{ toHub(old, hub) { hub.spec.title = old.spec.name; }, fromHub: (hub, old) => { old.spec.name = hub.spec.title; } }";
    const generation = generateFrom({ ...files, [CONVERSIONS]: conversions(functions) });
    const [row] = JSON.parse(artifact(generation, "generated/conversions.json"));
    expect(row).toMatchObject({ how: "declared", toHub: true, fromHub: true });
    expect(artifact(generation, "generated/registry.ts")).toContain(
      'import("../api-definitions/library/conversions.ts").then((module) => module.bookV1beta1)',
    );
  });

  it("go to the version marked as stored, else to the most stable and newest", () => {
    const hubOf = (files: { [path: string]: string }): string =>
      JSON.parse(artifact(generateFrom(files), "generated/resources.json"))
        .resources.filter((resource: { resource: string }) => resource.resource === "books")
        .map((resource: { storage: { version: string } }) => resource.storage.version)
        .join();
    expect(hubOf({ [BOOK]: book("a: string"), [OLD]: book("a: string") })).toBe("v1,v1");
    expect(hubOf({ [BOOK]: book("a: string"), [OLD]: book("a: string", "storage: true") })).toBe("v1beta1,v1beta1");
  });
});
