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

  it("takes releases as they were: what already broke a rule is not reported again", () => {
    const text = book("title: string", 'plural: "books", introduced: "1.20", deprecated: "1.30", removed: "1.33"');
    expect(diagnose(text)).toHaveLength(1);
    const snapshotText = writeSnapshot({ ...snapshot("title: string"), kinds: kindsOf(text) });
    expect(diagnose(text, { "api-definitions/released-api.json": snapshotText })).toEqual([]);
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
    expect(overdue).toContain("v1beta1 Book is beta since 1.30 and not deprecated by 1.34 (rule 4a)");
    expect(more).toEqual([]);
    const announced = writeSnapshot({ ...readSnapshot(Object.values(before)[0] ?? ""), release: "1.34" });
    const later = { ...beta, "api-definitions/released-api.json": announced, ...platform("1.35") };
    expect(diagnose(stable, later)).toEqual([]);
  });
});

/** Kinds as released although a rule forbids it (item 11: exceptions are announced). */
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
