import { describe, expect, it } from "vitest";
import { BOOK, definition, generateFrom, openApiOf } from "./fixture.ts";

interface Document {
  readonly components: { readonly schemas: { readonly [name: string]: { readonly properties: Properties } } };
}
type Properties = { readonly [field: string]: { readonly description?: string } };

/** Returns the descriptions of the fields of a struct in OpenAPI. */
function descriptionsOf(fields: string, more = ""): { [field: string]: string | undefined } {
  const generation = generateFrom({
    [BOOK]: definition(`/** A book. */
export interface Book extends Namespaced { spec: BookSpec }
export interface BookSpec {
${fields}
}
${more}
export const book = kind<Book>({ plural: "books" });`),
    "api-definitions/feature-gates.ts": `import { gates } from "./vocabulary.ts";
export const featureGates = gates({
  Lending: { steps: ["alpha 1.30", "beta 1.32"] },
  Printing: { steps: ["alpha 1.33"] },
  Reading: { steps: ["stable 1.30"] },
});`,
    "api-definitions/release.ts":
      'export const release = "1.33"; export const domain = "k8s.io"; export const vendor = "kubernetes";',
  });
  expect(generation.diagnostics.sorted()).toEqual([]);
  const document = openApiOf(generation, "v3/apis/library.example.com/v1") as unknown as Document;
  const [, schema] = Object.entries(document.components.schemas).find(([name]) => name.endsWith(".BookSpec")) ?? [];
  return Object.fromEntries(
    Object.entries(schema?.properties ?? {}).map(([name, { description }]) => [name, description]),
  );
}

describe("descriptions of fields", () => {
  it("end with the default and the limits that the markers declare", () => {
    const found = descriptionsOf(`
      /** Number of copies. */ copies?: Int32 & Default<1> & Minimum<0>;
      /** Rating by readers. */ stars?: Int32 & Minimum<1> & Maximum<5>;
      /** Title on the cover. */ title: string & MinLength<1>;
      /** Code on the shelf. */ shelf?: string & MinLength<2> & MaxLength<8>;
      /** Name of the author. */ author?: string & Default<"">;`);
    expect(found).toEqual({
      copies: "Number of copies. Must be at least 0. Defaults to `1`.",
      stars: "Rating by readers. Must be between 1 and 5.",
      title: "Title on the cover. Must not be empty.",
      shelf: "Code on the shelf. Must be 2 to 8 characters long.",
      author: "Name of the author. Defaults to an empty string.",
    });
  });

  it("say by which keys entries of a list are identified, and how many there may be", () => {
    const found = descriptionsOf(
      `/** Chapters in order. */ chapters?: ListMap<Chapter, "name"> & MaxItems<100>;
       /** Words to find it by. */ tags?: ListSet<string> & MinItems<1>;`,
      "export interface Chapter { /** Title of the chapter. */ name: string }",
    );
    expect(found.chapters).toBe("Chapters in order. Entries are identified by `name`. Must have at most 100 entries.");
    expect(found.tags).toBe("Words to find it by. Entries must be unique. Must have at least one entry.");
  });

  it("list the allowed values, each with its comment", () => {
    const found = descriptionsOf(
      `/** Kind of cover. */ cover?: Cover & Default<"Soft">;
       /** Language of the text. */ language?: Open<"en" | "de">;`,
      `export type Cover =
        /** Paper, cheap to print. */
        | "Soft"
        /** Cardboard, which
         * lasts longer. */
        | "Hard";`,
    );
    expect(found.cover).toBe(
      "Kind of cover. Defaults to `Soft`.\n\nAllowed values:\n- `Soft`: Paper, cheap to print.\n- `Hard`: Cardboard, which lasts longer.",
    );
    expect(found.language).toBe("Language of the text. Well-known values: `en`, `de`.");
  });

  it("list the allowed values of the entries of lists and maps, unless the description names all of them", () => {
    const found = descriptionsOf(
      `/** Bindings of the editions. */ bindings?: ListSet<Binding>;
       /** Binding by edition. */ byEdition?: { [edition: string]: Binding };
       /** Either \`Soft\` or \`Hard\` or both. */ both?: ListSet<Binding>;`,
      "export type Binding = /** With a paper cover. */ 'Soft' | 'Hard';",
    );
    const values = "Allowed values:\n- `Soft`: With a paper cover.\n- `Hard`";
    expect(found.bindings).toBe(`Bindings of the editions. Entries must be unique.\n\n${values}`);
    expect(found.byEdition).toBe(`Binding by edition.\n\n${values}`);
    expect(found.both).toBe("Either `Soft` or `Hard` or both. Entries must be unique.");
  });

  it("do not repeat values without descriptions that the text names already", () => {
    const found = descriptionsOf(
      `/** Status: \`True\` or \`False\`. */ status?: Open<"True" | "False">;
       /** Status of the loan. */ loan?: Open<"True" | "False">;`,
    );
    expect(found.status).toBe("Status: `True` or `False`.");
    expect(found.loan).toBe("Status of the loan. Well-known values: `True`, `False`.");
  });

  it("do not list the well-known values of an open set if they name two of them", () => {
    const values = '"small" | "medium" | "large" | "folio"';
    const found = descriptionsOf(
      `/** Size, usually \`small\` or \`large\`. */ usual?: Open<${values}>;
       /** Size, such as \`small\`. */ example?: Open<${values}>;
       /** Size, \`small\` or \`large\` for most books. */ closed?: ${values};`,
    );
    expect(found.usual).toBe("Size, usually `small` or `large`.");
    expect(found.example).toBe("Size, such as `small`. Well-known values: `small`, `medium`, `large`, `folio`.");
    expect(found.closed).toBe(
      "Size, `small` or `large` for most books. Allowed values: `small`, `medium`, `large`, `folio`.",
    );
  });

  it("describe a union with one value, and keep facts apart from a list that ends the description", () => {
    const found = descriptionsOf(
      `/** State of the loan. */ state?: Open</** The book is out. */ "Lent">;
       /**
        * Size of the print:
        * - 1 is small
        * - 2 is large
        */ print?: Int32 & Default<1>;`,
    );
    expect(found.state).toBe("State of the loan.\n\nWell-known values:\n- `Lent`: The book is out.");
    expect(found.print).toBe("Size of the print:\n- 1 is small\n- 2 is large\n\nDefaults to `1`.");
  });

  it("name the feature gate unless it can no longer be switched off", () => {
    const found = descriptionsOf(`
      /** Who has it. */ lentTo?: string & Gated<"Lending">;
      /** Where it is printed. */ press?: string & Gated<"Printing">;
      /** Who reads it. */ reader?: string & Gated<"Reading">;`);
    expect(found.lentTo).toBe("Who has it. Requires the feature gate `Lending`, which is on by default.");
    expect(found.press).toBe("Where it is printed. Requires the feature gate `Printing`, which is off by default.");
    expect(found.reader).toBe("Who reads it.");
  });

  it("say what is immutable or deprecated, and keep paragraphs and lists apart", () => {
    const found = descriptionsOf(`
      /** Number printed on it. */ isbn?: string & Immutable;
      /** Old number. */ code?: string & Deprecated<"use \`isbn\`">;
      /**
       * First paragraph, on
       * two lines.
       *
       * Second:
       * - one
       * - two
       */ note?: string;`);
    expect(found.isbn).toBe("Number printed on it. Cannot be changed after creation.");
    expect(found.code).toBe("Old number. Deprecated: use `isbn`.");
    expect(found.note).toBe("First paragraph, on two lines.\n\nSecond:\n- one\n- two");
  });
});
