import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { renderDiagnostic } from "../../generator/diagnostics.ts";
import { Examples } from "../../generator/docs/examples.ts";
import { referencePages } from "../../generator/docs/reference-pages.ts";
import type { JsonValue, TypeModule } from "../../runtime/contract/type-table.ts";
import { createSchemas } from "../../runtime/schema/schemas.ts";
import { artifact, BOOK, definition, generateFrom } from "../generator/fixture.ts";

const generation = generateFrom({
  [BOOK]: definition(`
/** A book that the library owns. Others follow. */
export interface Book extends Namespaced {
  /** Desired state of the book. */
  spec: BookSpec & Rule<"self.pages > 0", "a book has pages">;
  /** Observed state of the book. */
  status?: Chapter;
}
/** What the library records about a book. */
export interface BookSpec {
  /** Title as printed on the cover. */
  title: string & MinLength<1> & Immutable;
  /** Number of its pages. */
  pages?: Int32 & Default<100> & Minimum<1>;
  /** How the book is bound. */
  binding: Binding;
  /** Chapters in the order in which they are printed. */
  chapters: ListMap<Chapter, "title"> & MinItems<1>;
  /** Name of the author {{ in braces }}. */
  author?: string & Deprecated<"use \`authors\`">;
  /** Position in the storage robot. */
  slot?: string & Gated<"WatchList">;
}
export type Binding =
  /** With stiff boards. */
  | "Hardcover"
  | "Paperback";
/** A part of a book. */
export interface Chapter {
  /** Title of the chapter. */
  title: string;
}
/** A list of chapters by themselves. */
export interface Index extends ClusterScoped {
  /** Chapters of all books. */
  chapters?: ListAtomic<Chapter>;
}
export const index = kind<Index>({ plural: "indices" });
export const book = kind<Book>({
  plural: "books", shortNames: ["bk"], categories: ["all"], introduced: "1.30", deprecated: "1.33", removed: "1.36",
  subresources: { status: true },
  columns: [{ name: "Title", type: "string", path: ".spec.title", priority: 1, description: "Title | subtitle." }],
  selectableFields: ["spec.title"],
});`),
});
const { pages, sidebars } = referencePages(generation.model, new Set(["library.example.com"]), new Examples());
const textOf = (path: string): string =>
  pages.find((page) => page.path === `reference/library.example.com/v1/${path}`)?.text ?? "";

/** Returns the text of a page below the heading of a field. */
function field(path: string, anchor: string): string {
  return (
    textOf(path)
      .split(`{#${anchor}}\n`)[1]
      ?.split(/\n#{2,3} /)[0]
      ?.trim() ?? ""
  );
}

it("is made from a valid definition", () => {
  expect(generation.diagnostics.sorted().map(renderDiagnostic)).toEqual([]);
});

describe("the reference of a project's own kinds", () => {
  it("has a page for each kind and each type that several kinds use, and an index", () => {
    expect(pages.map(({ path }) => path).sort()).toEqual([
      "reference/index",
      "reference/library.example.com/v1/book",
      "reference/library.example.com/v1/chapter",
      "reference/library.example.com/v1/index",
      "reference/meta.k8s.io/v1/objectmeta",
    ]);
    expect(sidebars["/reference/library.example.com/"]?.[0]?.items?.map(({ text }) => text)).toEqual(["Book", "Index"]);
  });

  it("shows names, scope, verbs, subresources, selectors, lifecycle and columns of a kind", () => {
    const text = textOf("book");
    expect(text).toContain("# Book `library.example.com/v1`");
    for (const row of [
      "| resource | `books` |",
      "| short names | `bk` |",
      "| scope | namespaced |",
      "| served since | 1.30 |",
      "| deprecated | 1.33 |",
      "| removed | 1.36 |",
      "| subresources | `status` (get, patch, update) |",
      "| field selectors | `metadata.name`, `metadata.namespace`, `spec.title` |",
      "| Title | `string` | `-o wide` | `.spec.title` | Title \\| subtitle. |",
    ])
      expect(text).toContain(row);
    expect(text).toContain("Deprecated from 1.33 on. Not served from 1.36 on.");
  });

  it("shows type, default, limits, allowed values, keys, gates, deprecation and rules of fields", () => {
    expect(field("book", "bookspec-title")).toContain("`string` · **required** · cannot be changed");
    expect(field("book", "bookspec-pages")).toContain("Must be at least 1. Defaults to `100`.");
    expect(field("book", "bookspec-binding")).toContain("- `Hardcover`: With stiff boards.\n- `Paperback`");
    expect(field("book", "bookspec-chapters")).toContain(
      "list of [Chapter](/reference/library.example.com/v1/chapter)",
    );
    expect(field("book", "bookspec-chapters")).toContain("Entries are identified by `title`.");
    expect(field("book", "bookspec-author")).toContain("**deprecated**");
    expect(field("book", "bookspec-author")).toContain("&#123;&#123; in braces");
    expect(field("book", "bookspec-slot")).toContain("gate `WatchList`");
    expect(field("book", "book-spec")).toContain("- `self.pages > 0`: a book has pages");
  });

  it("makes an example of the required fields for a kind without one, which a server accepts", () => {
    const example = parse(/```yaml\n([\s\S]*?)```/.exec(textOf("book"))?.[1] ?? "") as {
      readonly [key: string]: JsonValue;
    };
    expect(example).toEqual({
      apiVersion: "library.example.com/v1",
      kind: "Book",
      metadata: { name: "example", namespace: "default" },
      spec: { title: "example", binding: "Hardcover", chapters: [{ title: "example" }] },
    });
    const module = (name: string): TypeModule =>
      JSON.parse(artifact(generation, `generated/types/${name.replace("/", ".")}.json`));
    const schema = createSchemas({ module }).of("library/v1.Book");
    expect(schema.validate(schema.decode(example))).toEqual([]);
  });
});
