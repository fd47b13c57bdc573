import { describe, expect, it } from "vitest";
import { artifact, BOOK, definition, generateFrom } from "./fixture.ts";

const HOOKS = "api-definitions/library/v1/book.hooks.ts";
const HELPERS = "api-definitions/library/v1/shelves.ts";

const book = (fields: string, more = ""): string =>
  definition(`export interface Book extends Namespaced { spec?: BookSpec }
export interface BookSpec { ${fields} }
${more}
export const book = kind<Book>({ plural: "books" });`);

/** Returns the entry for Book's storage in `resources.json`. */
function storageOf(files: { readonly [path: string]: string }): { defaults?: string; defaultGates?: string[] } {
  const generation = generateFrom(files);
  expect(generation.diagnostics.sorted()).toEqual([]);
  const { resources } = JSON.parse(artifact(generation, "generated/resources.json"));
  return resources[0].storage;
}

const defaultsOf = (files: { readonly [path: string]: string }): string | undefined => storageOf(files).defaults;

const declared = (fields: string, more?: string): string | undefined => defaultsOf({ [BOOK]: book(fields, more) });

describe("the fingerprint of the defaults of a kind", () => {
  it("is absent without defaults", () => {
    expect(declared("title?: string")).toBeUndefined();
    expect(defaultsOf({ [BOOK]: book("title?: string"), [HOOKS]: "export const hooks = {};" })).toBeUndefined();
  });

  it("follows declared defaults wherever they are in the object, and nothing else", () => {
    const one = declared("copies?: Int32 & Default<1>");
    expect(one).toMatch(/^[\w-]{8}$/);
    expect(declared("title?: string; copies?: Int32 & Default<1> & Minimum<0>")).toBe(one);
    expect(declared("copies?: Int32 & Default<2>")).not.toBe(one);
    const chapters = (type: string) => declared("chapters?: Chapter[]", `export interface Chapter { pages?: ${type} }`);
    expect(chapters("Int32")).toBeUndefined();
    expect(chapters("Int32 & Default<1>")).not.toBe(chapters("Int32 & Default<2>"));
  });

  describe("with a hook", () => {
    const hooks = (value: string, more = ""): string =>
      `import { shelfOf } from "./shelves.ts";\n${more}\nexport const hooks = { ${value} };`;
    const SHELVES = "const FIRST = 1;\nexport function shelfOf() { return FIRST; }\nexport const other = 2;";
    const defaults = (code: string, shelves = SHELVES): string | undefined =>
      defaultsOf({ [BOOK]: book("shelf?: Int32"), [HOOKS]: code, [HELPERS]: shelves });
    const SET = "default: ({ spec }) => { spec.shelf ??= shelfOf(); }";
    const first = defaults(hooks(SET));

    it("follows the code of the hook and what that uses, in its file and in others", () => {
      expect(first).toMatch(/^[\w-]{8}$/);
      expect(defaults(hooks(SET.replace("shelfOf()", "1 + shelfOf()")))).not.toBe(first);
      expect(defaults(hooks(SET), SHELVES.replace("FIRST = 1", "FIRST = 2"))).not.toBe(first);
      const named = (value: string) =>
        defaults(hooks("default: setShelf", `const setShelf = ({ spec }) => { spec.shelf ??= ${value}; };`));
      expect(named("1")).not.toBe(named("2"));
      expect(named("1")).toBe(named("1"));
    });

    it("is the same for other comments, layout, types, hooks and declarations", () => {
      const layout =
        "default: ({\n  spec,\n}: Book) => {\n  // The first one.\n  spec.shelf ??= shelfOf();\n},\nvalidate: () => []";
      expect(defaults(hooks(layout, "/** Not used. */\nconst unused = 3;"))).toBe(first);
      const shelves = SHELVES.replace("other = 2", "other = 3").replace("shelfOf()", "shelfOf(): number");
      expect(defaults(hooks(SET), shelves)).toBe(first);
    });

    it("follows all of the hooks where one of them may be part of something else", () => {
      const spread = (value: string) => defaults(hooks("...rest", `const rest = { default: () => ${value} };`));
      expect(spread("1")).toMatch(/^[\w-]{8}$/);
      expect(spread("1")).not.toBe(spread("2"));
    });

    it("follows hooks that are exported by another file", () => {
      const other = (value: string) =>
        defaults('export { hooks } from "./shelves.ts";', `export const hooks = { default: () => ${value} };`);
      expect(other("1")).toMatch(/^[\w-]{8}$/);
      expect(other("1")).not.toBe(other("2"));
    });

    it("is absent if hooks set no defaults", () => {
      expect(defaults(hooks("validate: () => []"))).toBeUndefined();
      expect(defaults(hooks("defaults: { times: () => {} }"))).toBeUndefined();
    });

    it("follows the hook for stored objects", () => {
      const stored = (value: string) => defaults(hooks(`defaults: { times: () => {}, stored: () => ${value} }`));
      expect(stored("1")).toMatch(/^[\w-]{8}$/);
      expect(stored("1")).not.toBe(stored("2"));
    });

    it("comes with the feature gates that the code names, in any of its files", () => {
      const code =
        'default: (book, { featureEnabled }) => { if (featureEnabled("ImageVolume")) shelfOf({ featureEnabled }); }';
      const shelves = `export const shelfOf = (context) =>
        context.featureEnabled('AllBeta') && context.featureEnabled(\`ImageVolume\`) && context["featureEnabled"]("Four");`;
      const storage = storageOf({ [BOOK]: book("shelf?: Int32"), [HOOKS]: hooks(code), [HELPERS]: shelves });
      expect(storage.defaultGates).toEqual(["AllBeta", "Four", "ImageVolume"]);
      expect(storageOf({ [BOOK]: book("copies?: Int32 & Default<1>") })).not.toHaveProperty("defaultGates");
    });

    describe("and gates", () => {
      /** Returns the diagnostics for a hook with this code, as `line:column text`. */
      const unknownGates = (code: string): string[] => {
        const files = { [BOOK]: book("shelf?: Int32"), [HOOKS]: `export const hooks = {\n${code}\n};` };
        return generateFrom(files)
          .diagnostics.sorted()
          .map(({ code, at }) => `${code} ${at.line}:${at.column} ${at.text}`);
      };

      it.each(["featureEnabled(GATE)", 'featureEnabled("A" + GATE)', "featureEnabled()", "featureEnabled"])(
        "is an error of the generator where the name of a gate is not a literal: %s",
        (use) => {
          expect(unknownGates(`default: (book, context) => context.${use}`)).toEqual([
            `default-gate 2:29 context.${use}`,
          ]);
          expect(unknownGates(`default: (book, { featureEnabled }) => set(${use})`)).toEqual([
            `default-gate 2:44 ${use}`,
          ]);
        },
      );

      it("is an error where the function gets another name", () => {
        expect(unknownGates('default: (book, { featureEnabled: isOn }) => isOn("AllBeta")')).toEqual([
          "default-gate 2:19 featureEnabled",
        ]);
        expect(unknownGates('default: (book, context) => { const isOn = context["featureEnabled"]; }')).toEqual([
          'default-gate 2:44 context["featureEnabled"]',
        ]);
        expect(unknownGates("default: (book, context) => { const featureEnabled = context.featureEnabled; }")).toEqual(
          [],
        );
      });

      it("is no error in other hooks", () => {
        expect(unknownGates("validate: (book, { featureEnabled }) => featureEnabled(GATE)")).toEqual([]);
      });
    });
  });
});
