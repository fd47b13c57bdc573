import { describe, expect, it } from "vitest";
import { kindsByDefinition, type WrittenDefinition, writeDefinition } from "../../generator/crds/custom-definition.ts";
import type { JsonSchema } from "../../generator/crds/json-schema.ts";
import { renderDiagnostic } from "../../generator/diagnostics.ts";
import { BOOK, definition, GROUP, generateFrom } from "../generator/fixture.ts";

function written(
  spec: string,
  more: { readonly [path: string]: string } = {},
  kind = 'plural: "books"',
): WrittenDefinition {
  const text = `/** A book. */ export interface Book extends Namespaced { /** Its state. */ spec: Spec }
export interface Spec {
${spec.replaceAll("; /**", ";\n/**")}
}
export type Cover = /** It bends. */ "Soft" | /** It does not. */ "Hard";
export interface Page { number: Int32 & Immutable; text?: string & Rule<"self == oldSelf", "it stays"> }
export const book = kind<Book>({ ${kind} });`;
  const { model, diagnostics } = generateFrom({ [BOOK]: definition(text), ...more });
  expect(diagnostics.sorted().map(renderDiagnostic)).toEqual([]);
  const [versions] = kindsByDefinition(model, []);
  return writeDefinition(model, versions!);
}

function specOf({ definition: { spec } }: WrittenDefinition): JsonSchema {
  return spec.versions[0]!.schema.openAPIV3Schema.properties!.spec!;
}

describe("a CustomResourceDefinition that is written of a kind", () => {
  it("tells in descriptions that a field is deprecated, and what values mean", () => {
    const { properties } = specOf(
      written('/** Cover of the book. */ cover?: Cover; /** Old title. */ title?: string & Deprecated<"use name">;'),
    );
    expect(properties?.cover).toMatchObject({ type: "string", enum: ["Soft", "Hard"] });
    expect(properties?.cover?.description).toContain("- `Soft`: It bends.");
    expect(properties?.title?.description).toContain("Deprecated: use name");
  });

  it("allows null for fields that the server shows as null", () => {
    const { properties } = specOf(
      written(
        "/** Editor of it. */ editor?: string & Nullable; /** Words of it. */ words?: string[] & Always; /** Due. */ due?: Time & Always; /** Size. */ size?: Int32 & Nullable & Default<1>; /** Title. */ title?: string; /** Notes. */ notes: string[];",
      ),
    );
    const nullable = Object.entries(properties ?? {}).filter(([, one]) => one.nullable);
    expect(nullable.map(([name]) => name)).toEqual(["editor", "words", "due"]);
  });

  it("shows the age of objects as the server does", () => {
    const columns =
      '{ name: "Age", type: "string", path: ".metadata.creationTimestamp" }, { name: "Old", type: "string", path: ".metadata.creationTimestamp" }';
    const { definition: made } = written(
      "/** Title. */ title?: string;",
      {
        [GROUP]:
          'import { group } from "../vocabulary.ts"; export const library = group({ name: "library.example.com", versions: ["v1"], imported: true });',
      },
      `plural: "books", columns: [${columns}]`,
    );
    const jsonPath = ".metadata.creationTimestamp";
    expect(made.spec.versions[0]?.additionalPrinterColumns).toEqual([
      { name: "Age", type: "date", jsonPath },
      { name: "Old", type: "string", jsonPath },
    ]);
  });

  it("refuses to set, change and remove an optional field that is immutable", () => {
    const schema = specOf(written('/** Shelf of it. */ "shelf-mark"?: string & Immutable;'));
    expect(schema["x-kubernetes-validations"]).toEqual([
      {
        rule: "has(self.shelf__dash__mark) == has(oldSelf.shelf__dash__mark) && (!has(self.shelf__dash__mark) || self.shelf__dash__mark == oldSelf.shelf__dash__mark)",
        message: "field is immutable",
        fieldPath: "['shelf-mark']",
      },
    ]);
  });

  it("compares an immutable field whose name expressions cannot have with its old value only", () => {
    const made = written(
      '/** Price of it. */ $price?: string & Immutable; /** Day of it. */ "1st": string & Immutable;',
    );
    const schema = specOf(made);
    expect(schema["x-kubernetes-validations"]).toBeUndefined();
    const rules = [{ rule: "self == oldSelf", message: "field is immutable" }];
    expect(schema.properties).toMatchObject({
      $price: { "x-kubernetes-validations": rules },
      "1st": { "x-kubernetes-validations": rules },
    });
    expect(made.notes.map(({ where }) => where)).toEqual(["library.example.com/v1 Book, spec.$price"]);
  });

  it("has the rules of a named type besides those of the field", () => {
    const size = `type Size = Int32 & Rule<"self > 0"> & Schema<{ multipleOf: 2 }>;`;
    const schema = specOf(
      written(
        `/** Size of it. */ size?: Size & Rule<"self < 9"> & Schema<{ title: "Size" }>; }\n${size}\ninterface Rest {`,
      ),
    );
    expect(schema.properties?.size).toMatchObject({
      "x-kubernetes-validations": [{ rule: "self > 0" }, { rule: "self < 9" }],
      multipleOf: 2,
      title: "Size",
    });
  });

  it("leaves out rules about old items of lists without keys, and says so", () => {
    const result = written("/** Pages of it. */ pages?: ListAtomic<Page>;");
    const page = specOf(result).properties?.pages?.items;
    expect(page?.properties?.text).toEqual({ type: "string" });
    expect(result.notes.map(({ where, text }) => `${where}: ${text.slice(0, 40)}`)).toEqual([
      "library.example.com/v1 Book, spec.pages[].number: Immutable has no effect within a list wi",
      "library.example.com/v1 Book, spec.pages[].text: the rule self == oldSelf is left out: it",
    ]);
  });

  it("requires entries of required lists and maps, which the server cannot tell from none", () => {
    const { properties, required } = specOf(
      written(
        "/** Words of it. */ words: string[]; /** Marks of it. */ marks: { [key: string]: string } & MinProperties<0>;",
      ),
    );
    expect(required).toEqual(["words", "marks"]);
    expect(properties?.words).toMatchObject({ minItems: 1 });
    expect(properties?.marks).toEqual({
      type: "object",
      additionalProperties: { type: "string" },
      description: "Marks of it.",
    });
  });

  it("converts a format that clusters do not know into a pattern, besides the one that is declared", () => {
    const { properties } = specOf(
      written('/** Host of it. */ host?: string & Format<"dns1123-label"> & Pattern<"^a"> & MaxLength<9>;'),
    );
    expect(properties?.host).toEqual({
      type: "string",
      description: "Host of it.",
      pattern: "^a",
      maxLength: 9,
      allOf: [{ pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" }],
    });
  });

  it("marks deprecated versions with the warning of the server, and versions that are off as not served", () => {
    const old = definition(`/** A book. */ export interface Book extends Namespaced { /** Its state. */ spec: Spec }
export interface Spec { /** Title of it. */ title?: string }
export const book = kind<Book>({ plural: "books", introduced: "1.30", deprecated: "1.32", offByDefault: true, replacement: "library.example.com/v1 Book" });`);
    const { definition: crd, converts } = written("/** Title of it. */ title?: string;", {
      "api-definitions/library/v1beta1/book.ts": old,
    });
    expect(converts).toBe(false);
    expect(crd.spec.versions.map(({ schema: _schema, ...version }) => version)).toEqual([
      { name: "v1", served: true, storage: true },
      {
        name: "v1beta1",
        served: false,
        storage: false,
        deprecated: true,
        deprecationWarning: "library.example.com/v1beta1 Book is deprecated in v1.32+; use library.example.com/v1 Book",
      },
    ]);
  });

  it("is marked as unapproved in a group of Kubernetes, and said to be", () => {
    const group = `import { group } from "../vocabulary.ts";
export const library = group({ name: "library.x-k8s.io", versions: ["v1"] });`;
    const approved = written("/** Title of it. */ title?: string;", { [GROUP]: group });
    expect(approved.definition.metadata.annotations).toBeUndefined();
    const { definition: crd, notes } = written("/** Title of it. */ title?: string;", {
      [GROUP]: group.replace("x-k8s.io", "sub.k8s.io"),
    });
    expect(crd.metadata.annotations).toEqual({ "api-approved.kubernetes.io": "unapproved, experimental-only" });
    expect(notes).toHaveLength(1);
  });
});
