import { describe, expect, it } from "vitest";
import type { Markers } from "../../runtime/contract/type-table.ts";
import { artifact, BOOK, definition, diagnose, generateFrom } from "./fixture.ts";

interface Table {
  readonly [type: string]: Markers & { readonly fields?: readonly (Markers & { name: string; type: unknown })[] };
}

function tableOf(text: string): Table {
  const generation = generateFrom({ [BOOK]: definition(text) });
  expect(generation.diagnostics.sorted()).toEqual([]);
  return JSON.parse(artifact(generation, "generated/types/library.v1.json")).types;
}

function fieldsOf(text: string, type = "Spec"): [string, unknown][] {
  return (tableOf(text)[type]?.fields ?? []).map(({ name, type }) => [name, type]);
}

/** Returns the diagnostics for a field of this type. */
function said(type: string, more = ""): string {
  return diagnose(`export interface Spec { field?: ${type} }\n${more}`).join("\n");
}

describe("a type that TypeScript has and definitions do not have", () => {
  it.each([
    ["keyof Item", "this type is not allowed"],
    ["{ [key: string]: string; name: string }", "a map with a member of its own is not allowed"],
    ["{ [key: number]: string }", "a map with other keys than strings is not allowed"],
    ['Record<"a" | "b", string>', "a map with other keys than strings is not allowed"],
    ["Record<string>", "expected: Record<string, Type>"],
    ["Array", "expected: Array<Type>"],
    ["Item<string>", "expected: Item"],
    ["Int32<5>", "expected: Int32"],
    ["Item | null", "expected: name?: Type for a value that may be unset"],
    ["string | undefined", "expected: name?: Type for a value that may be unset"],
    ["[string, string]", "expected: Type[], with & MinItems<…> & MaxItems<…>, or an interface"],
    [`\`a-\${string}\``, 'expected: string & Pattern<"^…$">'],
    ["(typeof COLOURS)[number]", "expected: the type itself, written out"],
    ['Item["name"]', "expected: the type itself, written out"],
    ['{ [P in "a" | "b"]: string }', "expected: an interface with these fields"],
    ['import("./item.ts").Item', "expected: import type { Name } at the top of the file"],
    ['Item | "none"', "a union may contain strings only"],
    ["Date", "did you mean Time?"],
    ["Map<string, string>", "did you mean { [key: string]: Type }?"],
    ["Set<string>", "did you mean ListSet<Type>?"],
    ["bigint", "did you mean Int64?"],
    ["any", "did you mean Json?"],
    ["object", "did you mean Json?"],
    ['Pick<Item, "name">', "did you mean an interface with these fields?"],
    ["Item & Box", "expected: Type & Marker & Marker, or an interface that extends two others"],
    ["library.Item", "unknown type library.Item: it is neither defined nor imported in this file"],
    ["Box<string>", "expected: a name for it: interface Name extends Box<T> {}"],
    ["Box<string>[]", "expected: a name for it: interface Name extends Box<T> {}"],
    ["Maybe<string>", "a field of the generic type Maybe<T> is not allowed"],
    ["{ [key: string]: { [key: string]: string } }", "the entries of a map cannot be maps"],
    ["Rows", "the entries of a list cannot be lists"],
    ["(string & Nullable)[]", "a marker on the items of a list needs a type with a name"],
    ["ListAtomic<string & OmitZero>", "a marker on the items of a list needs a type with a name"],
  ])("%s is reported with what to write instead", (type, says) => {
    const types = `export interface Item { name: string }
export interface Box<T> { value: T }
export type Maybe<T> = T & Nullable;
type Row = string[];
type Rows = Row[];`;
    expect(said(type, type === "Rows" ? types : types.replace(/type Rows?.*/g, ""))).toContain(says);
  });

  it.each([
    ["export interface Spec { [Symbol.iterator]: string }"],
    ['export interface Spec { ["name"]: string }'],
    ["export interface Spec { [key: string]: string }"],
  ])("a member without a plain name is reported: %s", (text) => {
    expect(diagnose(text).join("\n")).toContain("expected: name: Type, or name?: Type");
  });

  it("says that an import is no definition file, or does not have the type", () => {
    const foreign = diagnose(
      `import type { V1Pod } from "@kubernetes/client-node";\nexport interface Spec { pod: V1Pod }`,
    );
    expect(foreign.join("\n")).toContain("unknown type V1Pod: @kubernetes/client-node is not a definition file");
    const missing = diagnose(
      `import type { Nope } from "../../meta/v1/type-meta.ts";\nexport interface Spec { no: Nope }`,
    );
    expect(missing.join("\n")).toContain(
      "api-definitions/meta/v1/type-meta.ts does not define it; import it from the file that does",
    );
    expect(missing.join("\n")).not.toContain("did you mean Nope?");
  });

  it("markers that only fields have are reported on types", () => {
    const names = diagnose("export type Name = string & OmitZero;\nexport interface Spec { name: Name }");
    expect(names.join("\n")).toContain("OmitZero cannot be applied to the type Name");
  });
});

describe("a union of strings", () => {
  const types = 'type Warm = "Red" | "Orange"; export type Colour = Warm | "Blue";';

  it("may have members of other unions", () => {
    const { Colour, Spec } = tableOf(`${types} export interface Spec { colour?: Colour | "None"; known?: Open<Warm> }`);
    expect(Colour).toMatchObject({ enum: ["Red", "Orange", "Blue"], closed: true });
    expect(Spec?.fields?.[0]).toMatchObject({ enum: ["Red", "Orange", "Blue", "None"], closed: true });
    expect(Spec?.fields?.[1]).toMatchObject({ enum: ["Red", "Orange"] });
    expect(Spec?.fields?.[1]).not.toHaveProperty("closed");
  });

  it("is reported if it contains itself", () => {
    expect(said("A", 'type A = B | "a"; type B = A | "b";')).toContain("error cyclic-type: A is defined by itself");
  });
});

describe("comments that look like markers", () => {
  it.each([
    ["/** How many.\n * @minimum 3 */", "@minimum in a comment has no effect", "& Minimum<…> after the type"],
    ["/** How many.\n * +optional */", "+optional in a comment has no effect", "name?: Type"],
    ["/** +kubebuilder:default=3 */", "+kubebuilder:default=3 in a comment", "a marker after the type"],
    ["/** How many.\n * @deprecated Use less. */", "@deprecated in a comment has no effect", 'Deprecated<"…">'],
  ])("are reported: %s", (comment, says, expected) => {
    const found = diagnose(`export interface Spec {\n${comment} count?: Int32 }`).join("\n");
    expect(found).toContain(`warning comment-tag: ${says}`);
    expect(found).toContain(expected);
  });

  it("are not reported if the marker is there, or where they mean nothing", () => {
    const field = "/** How many.\n * @deprecated Use less.\n * @see Book */ count?: Int32 & Deprecated";
    expect(diagnose(`export interface Spec {\n${field} }`)).toEqual([]);
  });
});

describe("an import of definitions", () => {
  it("is reported as a default import, and with another extension", () => {
    const other = { "api-definitions/library/v1/other.ts": "export default interface Other { name: string }" };
    const text = 'import type Other from "./other.ts";\nexport interface Spec { other: Other }';
    expect(diagnose(text, other).join("\n")).toContain('expected: import type { Other } from "./other.ts"');
    const js = 'import type { Other } from "./other.js";\nexport interface Spec { other: Other }';
    expect(diagnose(js, other).join("\n")).toContain("did you mean ./other.ts?");
  });
});

describe("a type that is defined by itself", () => {
  it.each([
    "type A = B; type B = A;",
    "type A = { [key: string]: A };",
    "interface A extends A { name: string }",
    "interface A extends B { name: string } interface B extends A { size: Int32 }",
  ])("is reported: %s", (types) => {
    expect(said("A", types)).toContain("error cyclic-type: A is defined by itself");
  });

  it("is reported as a kind", () => {
    const kind = diagnose(
      'export interface Book extends Book {}\nexport const book = kind<Book>({ plural: "books" });',
    );
    expect(kind.join("\n")).toContain("error cyclic-type: Book is defined by itself");
  });

  it("may contain itself in a field", () => {
    expect(fieldsOf("export interface Spec { children?: Spec[] }")).toEqual([
      ["children", { list: "library/v1.Spec" }],
    ]);
  });
});

describe("what an interface extends", () => {
  it("lends the fields of an alias", () => {
    const types = "type Named = { name: string }; type Alias = Named;";
    expect(fieldsOf(`${types} export interface Spec extends Alias { size: Int32 }`)).toEqual([
      ["name", "string"],
      ["size", "int32"],
    ]);
  });

  it("lends the fields of a generic alias", () => {
    expect(fieldsOf("type Box<T> = { value: T }; export interface Spec extends Box<Int32> {}")).toEqual([
      ["value", "int32"],
    ]);
    expect(fieldsOf("type Box<T> = { value: T }; export type Spec = Box<Int32>;")).toEqual([["value", "int32"]]);
  });

  it("passes type arguments on", () => {
    const types = "interface Box<T> { value: T } interface Pair<T> extends Box<T> { other: T[] }";
    expect(fieldsOf(`${types} export interface Spec extends Pair<Int32> {}`)).toEqual([
      ["value", "int32"],
      ["other", { list: "int32" }],
    ]);
  });

  it("lends a field once that two bases have from the same one", () => {
    const types = `interface Root { name: string } interface A extends Root { a: string } interface B extends Root { b: string }`;
    const fields = fieldsOf(`${types} export interface Spec extends A, B {}`);
    expect(fields.map(([name]) => name)).toEqual(["name", "a", "b"]);
  });

  it("is reported if two bases declare a field differently", () => {
    const types = "interface A { name: string } interface B { name: Int32 }";
    expect(diagnose(`${types} export interface Spec extends A, B {}`).join("\n")).toContain(
      "Spec has two fields named name",
    );
  });

  it("is reported if it is no interface", () => {
    expect(diagnose('type A = "x" | "y"; export interface Spec extends A {}').join("\n")).toContain(
      "extending A, which is not an interface, is not allowed",
    );
  });

  it("is reported without the type arguments that it takes", () => {
    const said = diagnose("interface Box<T = string> { value: T } export interface Spec extends Box {}").join("\n");
    expect(said).toContain("Box has the wrong arguments");
    expect(said).not.toContain("unknown type T");
  });

  it("is reported if a type argument has markers, which would be lost", () => {
    const types = "interface Box<T> { value: T }";
    expect(diagnose(`${types} export interface Spec extends Box<string & MaxLength<5>> {}`).join("\n")).toContain(
      "a marker on the items of Box needs a type with a name",
    );
  });

  it("lends its rules, all of which hold", () => {
    const types = `interface Root extends With<Rule<"self.a != 'r'">> { a: string }
interface A extends Root, With<Rule<"self.a != 'x'"> & MinProperties<1>> {}`;
    const { Spec } = tableOf(
      `${types} export interface Spec extends A, With<Rule<"self.a != 'y'">>, With<Rule<"self.a != 'z'">> {}`,
    );
    expect(Spec?.rules?.map(({ rule }) => rule)).toEqual([
      "self.a != 'r'",
      "self.a != 'x'",
      "self.a != 'y'",
      "self.a != 'z'",
    ]);
    expect(Spec?.minProperties).toBe(1);
  });
});

it("fields named like members of every JavaScript object get numbers on the wire", () => {
  const { Spec } = tableOf("export interface Spec { constructor?: string; toString?: string; name?: string }");
  expect(Spec?.fields).toMatchObject([{ number: 1 }, { number: 2 }, { number: 3 }]);
});

it("a generic kind is reported", () => {
  const text =
    'export interface Book<T> extends Namespaced { spec: T }\nexport const book = kind<Book<string>>({ plural: "books" });';
  expect(diagnose(text).join("\n")).toContain("the generic type Book<T> as a kind is not allowed");
});
