import { describe, expect, it } from "vitest";
import { type Generation, generate } from "../../generator/generate.ts";
import { GenerationMemory } from "../../generator/model/generation-memory.ts";
import { DefinitionCache } from "../../generator/reader/definition-cache.ts";
import type { SourceTree } from "../../generator/source-tree.ts";
import { BOOK, definition, GROUP, treeOf } from "./fixture.ts";

/** Changes of files, by path. An added file has no content before, a removed one none after. */
type Edit = { readonly [path: string]: (text: string) => string | undefined };

function edited({ files, ...rest }: SourceTree, edit: Edit): SourceTree {
  const texts = new Map(files);
  for (const [path, change] of Object.entries(edit)) {
    const text = change(texts.get(path) ?? "");
    if (text === undefined) texts.delete(path);
    else texts.set(path, text);
  }
  return { ...rest, files: texts };
}

const outcome = ({ diagnostics, artifacts, fieldNumbers }: Generation) => ({
  diagnostics: diagnostics.sorted(),
  files: Object.fromEntries([...artifacts, ...fieldNumbers].map(({ path, text }) => [path, text])),
});

/** Runs after every edit: once with the state of the previous runs, and once without any. */
class Session {
  readonly #memory = new GenerationMemory();
  #cache = new DefinitionCache();
  tree = start;

  run(edit: Edit = {}) {
    this.tree = edited(this.tree, edit);
    const again = generate(this.tree, { checksDescriptions: false, cache: this.#cache, memory: this.#memory });
    this.#cache = this.#cache.afterRun();
    const full = generate(this.tree, { checksDescriptions: false });
    // Like in a session, numbers of new fields are written next to the definitions.
    this.tree = edited(
      this.tree,
      Object.fromEntries(full.fieldNumbers.map(({ path, text }) => [path, () => text] as const)),
    );
    return { again: outcome(again), full: outcome(full), model: again.model };
  }
}

const SHELF = "api-definitions/library/v1/shelf.ts";
const SIZE = "api-definitions/library/v1/size.ts";
const start = treeOf({
  [BOOK]: definition(`import type { Shelf } from "./shelf.ts";
export interface Book extends Namespaced { shelf?: Shelf; title?: string & MaxLength<20> }
export const book = kind<Book>({ plural: "books" });`),
  [SHELF]: definition(`import type { Size } from "./size.ts";
export interface Shelf { width?: Size; label?: Label }
/** Printed on the shelf. */
export type Label = string & MaxLength<10>;`),
  [SIZE]: definition("export type Size = Int32 & Minimum<1>;"),
});

const edits: { readonly [what: string]: Edit } = {
  "a new field": { [SHELF]: (text) => text.replace("width?", "depth?: Int32; width?") },
  "a removed field": { [SHELF]: (text) => text.replace("label?: Label", "") },
  "the type behind an alias of another file": { [SIZE]: (text) => text.replace("Int32 & Minimum<1>", "string") },
  "a misplaced marker in another file": { [SIZE]: (text) => text.replace("Int32", "string") },
  "a renamed type": { [SIZE]: (text) => text.replace("Size", "Extent") },
  "another plural": { [BOOK]: (text) => text.replace('"books"', '"volumes"') },
  "a kind that is not served": { [BOOK]: (text) => text.replace('plural: "books"', "unserved: true") },
  "a type that two files declare": { [SIZE]: (text) => `${text}\nexport interface Shelf { width?: Int32 }` },
  "another version of the group": { [GROUP]: (text) => text.replace('"v1"', '"v1", "v2"') },
  "another name of the group": { [GROUP]: (text) => text.replace(/name: "[^"]*"/, 'name: "books.example.com"') },
  "a removed file": { [SIZE]: () => undefined },
  "an added file": {
    "api-definitions/library/v1/door.ts": () => definition("export interface Door { width?: Int32 }"),
  },
  "field numbers that another tool wrote": {
    "api-definitions/library/v1/field-numbers.json": (text) => text.replace(/"title": \d+/, '"title": 9'),
  },
  "a base that lends its fields": {
    "api-definitions/meta/v1/type-meta.ts": (text) => text.replace("name?: string", "label?: string; name?: string"),
  },
  "a syntax error": { [SHELF]: (text) => text.replace("}", "") },
};

describe("a run with the memory of earlier ones", () => {
  it.each(Object.entries(edits))("generates and reports what a run without it does after %s, and back", (_, edit) => {
    const session = new Session();
    session.run();
    session.run();
    const before = session.tree;
    const changed = session.run(edit);
    expect(changed.again).toEqual(changed.full);
    // Another edit on top, of a file that may import the changed one.
    const more = session.run({ [BOOK]: (text) => text.replace("title?", "author?: string; title?") });
    expect(more.again).toEqual(more.full);
    session.tree = before;
    const back = session.run();
    expect(back.again).toEqual(back.full);
  });

  it("keeps types of files that import nothing that changed, and no others", () => {
    const session = new Session();
    const typeOf = ({ model }: ReturnType<Session["run"]>, name: string) =>
      model.modules.get("library/v1")?.types.get(name);
    session.run();
    const first = session.run();
    const second = session.run({ [SHELF]: (text) => text.replace("width?", "depth?: Int32; width?") });
    expect(typeOf(second, "Size")).toBe(typeOf(first, "Size"));
    expect(typeOf(second, "Shelf")).not.toBe(typeOf(first, "Shelf"));
    expect(typeOf(second, "Book")).not.toBe(typeOf(first, "Book"));
  });
});
