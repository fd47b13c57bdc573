import { describe, expect, it } from "vitest";
import { type ApiSnapshot, readSnapshot, writeSnapshot } from "../../generator/evolution/snapshot.ts";
import { book, released } from "./evolution-cases.ts";
import { BOOK, definition, diagnose, generateFrom } from "./fixture.ts";

function snapshot(fields: string, declaration?: string): ApiSnapshot {
  const { snapshot: taken } = generateFrom({ [BOOK]: definition(book(fields, declaration)) });
  if (taken === undefined) throw new Error("no snapshot");
  return taken;
}

describe("the evolution gate", () => {
  it("lets a version grow: optional fields, looser limits, more values, new kinds", () => {
    const before = released({ [BOOK]: definition(book('title: string & MaxLength<5>; state?: "A"')) });
    expect(diagnose(book('title: string & MaxLength<9>; state?: "A" | "B"; pages?: Int32'), before)).toEqual([]);
  });

  it("lets alpha versions change at will", () => {
    const path = "api-definitions/library/v1alpha1/book.ts";
    const group = "api-definitions/library/group.ts";
    const versions = `import { group } from "../vocabulary.ts";
export const library = group({ name: "library.example.com", versions: ["v1", "v1alpha1"] });`;
    const alpha = (fields: string): { readonly [path: string]: string } => ({
      [group]: versions,
      [path]: definition(book(fields)).replaceAll("Book", "Draft").replace('"books"', '"drafts"'),
    });
    const before = released({ [BOOK]: definition(book("title: string")), ...alpha("name: string") });
    expect(diagnose(book("title: string"), { ...before, ...alpha("other: Int32") })).toEqual([]);
  });

  it("does not report violations that were already released", () => {
    const text = book("title: string", 'plural: "books", introduced: "1.20", deprecated: "1.30", removed: "1.33"');
    expect(diagnose(text, released({ [BOOK]: definition(book("title: string")) }))).toHaveLength(1);
    const snapshotText = writeSnapshot({ ...snapshot("title: string"), kinds: kindsOf(text) });
    expect(diagnose(text, { "api-definitions/released-api.json": snapshotText })).toEqual([]);
  });
});

describe("diagnostics of evolution", () => {
  const field = "export interface Book extends Namespaced { spec: Spec; status?: Spec }\nexport interface Spec {\n";
  const kind = '\n}\nexport const book = kind<Book>({ plural: "books",\n';
  const before = released({ [BOOK]: definition(`${field}  title: string;\n  pages?: Int32${kind}});`) });
  const first = (text: string): string => diagnose(text, before)[0]?.split(" error ")[0] ?? "";
  // The fixture has four lines of imports.
  it("point at the line of the field that changed", () => {
    expect(first(`${field}  title: string;\n  pages?: string${kind}});`)).toBe(
      "api-definitions/library/v1/book.ts:7:3",
    );
  });

  it("point at the struct that lost a field", () => {
    expect(first(`${field}  title: string${kind}});`)).toBe("api-definitions/library/v1/book.ts:5:18");
  });

  it("point at the line that announces a removal", () => {
    const text = `${field}  title: string;\n  pages?: Int32${kind}deprecated: "1.30",\nremoved: "1.34" });`;
    expect(first(text)).toBe("api-definitions/library/v1/book.ts:11:10");
  });

  it("point at the group that lost a kind", () => {
    expect(first("export interface Unused { a: string }")).toMatch(/^api-definitions\/library\/group\.ts:2:/);
  });
});

describe("the stability policy of a project", () => {
  const config = (stability: string, rest = ""): { readonly [path: string]: string } => ({
    "typeplane.config.ts": `export default defineConfig({ name: "acme", ${rest} stability: { ${stability} } });`,
  });
  const BOOK_V1 = "library.example.com/v1 Book";
  const before = released({ [BOOK]: definition(book("title: string; pages?: Int32")) });
  const lifecycle = (text: string): string => book("title: string; pages?: Int32", `plural: "books", ${text}`);
  const codes = (text: string, ...files: { readonly [path: string]: string }[]): string[] =>
    diagnose(text, Object.assign({}, before, ...files)).map((one) => one.split(" ")[2] ?? "");

  it("allows one removal for a stated reason, and warns of a reason that is not needed", () => {
    const removal = lifecycle('deprecated: "1.33", removed: "1.34"');
    expect(codes(removal)).toEqual(["evolution-stable-removed:"]);
    expect(codes(removal, config(`overrides: { "${BOOK_V1}": "Nobody uses it." }`))).toEqual([]);
    expect(codes("export interface Unused { a: string }")).toEqual(["evolution-kind-removed:"]);
    const override = config(`overrides: { "${BOOK_V1}": "Nobody uses it." }`);
    expect(codes("export interface Unused { a: string }", override)).toEqual([]);
    const field = config('overrides: { "library.example.com/v1 Spec.pages": "It never worked." }');
    expect(codes(book("title: string"), field)).toEqual([]);
    expect(codes(book("title: string; pages?: Int32"), field)).toEqual(["override-unused:"]);
  });

  it("refuses an override without a reason", () => {
    const none = config(`overrides: { "${BOOK_V1}": "" }`);
    expect(codes(lifecycle('removed: "1.34"'), none)).toContain("config-value:");
  });

  it("can shorten the notice of a group's stable versions", () => {
    const policy = config('groups: { "library.example.com": { reason: "internal", stableNotice: 2 } }');
    expect(codes(lifecycle('deprecated: "1.33", removed: "1.35"'), policy)).toEqual([]);
    expect(codes(lifecycle('deprecated: "1.33", removed: "1.34"'), policy)).toEqual(["evolution-stable-removed:"]);
    expect(codes(lifecycle('removed: "1.35"'), policy)).toEqual(["evolution-stable-removed:"]);
  });

  it("counts notice in the project's own releases", () => {
    const calendar =
      'release: "2.0", releases: { "1.9": { kubernetes: "1.32" }, "2.0": { kubernetes: "1.33" }, "2.5": { kubernetes: "1.33" }, "3.0": { kubernetes: "1.33" } },';
    const policy = config('policy: { reason: "internal", stableNotice: 2 }', calendar);
    expect(codes(lifecycle('deprecated: "2.0", removed: "3.0"'), policy)).toEqual([]);
    expect(codes(lifecycle('deprecated: "2.0", removed: "2.5"'), policy)).toEqual(["evolution-stable-removed:"]);
  });

  it("can allow breaking changes in a group whose clients are released with it", () => {
    const policy = config('groups: { "library.example.com": { reason: "internal", breakingChanges: "stable" } }');
    expect(codes(book("title: string"), policy)).toEqual([]);
    expect(codes("export interface Unused { a: string }", policy)).toEqual([]);
    const beta = config('groups: { "library.example.com": { reason: "internal", breakingChanges: "beta" } }');
    expect(codes(book("title: string"), beta)).toEqual(["evolution-field-removed:"]);
  });
});

describe("a stable version that was never released", () => {
  const text = book("title: string", 'plural: "books", introduced: "1.33", removed: "1.34"');
  const planned = (introduced: string): { readonly [path: string]: string } =>
    released({ [BOOK]: definition(book("title: string", `plural: "books", introduced: "${introduced}"`)) });

  it("can be removed if no release was recorded, or if the recorded release does not have it", () => {
    expect(diagnose(text)).toEqual([]);
    const other = released({ [BOOK]: definition(book("title: string").replaceAll("Book", "Tome")) });
    expect(
      diagnose(
        `${text}\n${"export interface Tome extends Namespaced { spec: Spec; status?: Spec }\nexport const tome = kind<Tome>({ plural: 'tomes' });"}`,
        other,
      ).join(),
    ).not.toContain("evolution-stable-removed");
  });

  it("can be deleted if it was recorded for a later release only", () => {
    expect(diagnose("export interface Unused { a: string }", planned("1.34"))).toEqual([]);
    expect(diagnose("export interface Unused { a: string }", planned("1.33"))).toHaveLength(1);
  });
});

describe("a version whose announced removal has come", () => {
  it("can be deleted from the definitions", () => {
    const OLD = "api-definitions/library/v1beta1/book.ts";
    const life = 'plural: "books", introduced: "1.26", deprecated: "1.29", removed: "1.32"';
    const before = released({
      [BOOK]: definition(book("title: string")),
      [OLD]: definition(book("title: string", life)),
    });
    expect(diagnose(book("title: string"), before)).toEqual([]);
  });
});

describe("a beta that is not deprecated in time", () => {
  const OLD = "api-definitions/library/v1beta1/book.ts";
  const RELEASE = "api-definitions/release.ts";
  const beta = { [OLD]: definition(book("title: string", 'plural: "books", introduced: "1.30"')) };
  const platform = (release: string) => ({
    [RELEASE]: `import { platform } from "./vocabulary.ts";
export const release = platform({ release: "${release}", domain: "k8s.io", vendor: "kubernetes" });`,
  });

  it("is reported by the first release that keeps it too long, and by no other", () => {
    const stable = book("title: string");
    expect(diagnose(stable, { ...beta, ...platform("1.33") })).toEqual([]);
    const before = released({ [BOOK]: definition(stable), ...beta, ...platform("1.33") });
    const [overdue = "", ...more] = diagnose(stable, { ...beta, ...before, ...platform("1.34") });
    expect(overdue).toContain("v1beta1 Book is beta since 1.30 and not deprecated by 1.34");
    expect(more).toEqual([]);
    const announced = writeSnapshot({ ...readSnapshot(Object.values(before)[0] ?? ""), release: "1.34" });
    const later = { ...beta, "api-definitions/released-api.json": announced, ...platform("1.35") };
    expect(diagnose(stable, later)).toEqual([]);
  });
});

/** Kinds that were released although a rule forbids it. */
function kindsOf(text: string): ApiSnapshot["kinds"] {
  const { snapshot: taken } = generateFrom({ [BOOK]: definition(text) });
  return taken?.kinds ?? [];
}

describe("a snapshot", () => {
  it("reads back what it writes", () => {
    const taken = snapshot("title: string & MaxLength<5>");
    expect(readSnapshot(writeSnapshot(taken))).toEqual(taken);
  });
});
