import { describe, expect, it } from "vitest";
import { kind } from "../../api-definitions/vocabulary.ts";
import { kindHooks } from "../../runtime/contract/kind-hooks.ts";
import { DEFAULT_CONTEXT } from "../fixtures/default-context.ts";

interface Shelf {
  spec: { width: number };
}

interface Book {
  spec: { title?: string; shelf: string };
}

const shelf = kind<Shelf>({ plural: "shelves" });
const book = kind<Book>({ plural: "books" });

/* Code that must not compile is marked. The compiler reports marks that are not needed. */
describe("kindHooks", () => {
  it("accepts the five hooks that most kinds need, and the parts beside them", () => {
    const hooks = kindHooks<Book>({
      default({ spec }) {
        spec.title ??= "Untitled";
      },
      validate: ({ spec }, { old }) => (old?.spec.shelf === spec.shelf ? [] : []),
      warn: ({ spec }) => (spec.title === "" ? ["the title is empty"] : []),
      prepare: ({ spec }, { old }) => void (spec.shelf ||= old?.spec.shelf ?? "new"),
      cells: ({ spec }) => ({ Title: spec.title }),
      lifecycle: { dependents: "orphan" },
    });
    const object: Book = { spec: { shelf: "a" } };
    hooks.default?.(object, DEFAULT_CONTEXT);
    expect(object.spec.title).toBe("Untitled");
  });

  it("refuses members that do not exist, and fields that the kind does not have", () => {
    const hooks = [
      // @ts-expect-error `defaults` is a part, the hook is `default`
      kindHooks<Book>({ defaults: ({ spec }: Book) => void spec }),
      // @ts-expect-error freeFinalizers is a part of compatibility
      kindHooks<Book>({ freeFinalizers: true }),
      // @ts-expect-error a misspelt part
      kindHooks<Book>({ lifecycles: {} }),
      // @ts-expect-error a book has no width
      kindHooks<Book>({ validate: ({ spec }) => (spec.width > 1 ? [] : []) }),
      // @ts-expect-error hooks that read nothing are synchronous
      kindHooks<Book>({ validate: async () => [] }),
    ];
    expect(hooks).toHaveLength(5);
  });

  it("types the objects that hooks read, and refuses kinds that are not declared", () => {
    const hooks = kindHooks<Book, typeof shelf>({
      reads: [shelf],
      async validate({ spec }, { read }) {
        const found = await read(shelf).get("default", spec.shelf);
        // @ts-expect-error a shelf has no title
        const { title } = found?.spec ?? {};
        // @ts-expect-error books are not declared in `reads`
        const other = read(book);
        return [title, other, found?.spec.width].length > 0 ? [] : [];
      },
    });
    expect(hooks.reads).toEqual([shelf]);
  });
});
