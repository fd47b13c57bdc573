import { describe, expect, it } from "vitest";
import { BOOK, definition, generateFrom, openApiDocuments, openApiOf } from "./fixture.ts";

const OWN = "/apis/library.example.com/v1/namespaces/{namespace}/books";
const generation = generateFrom({
  [BOOK]: definition(`export interface Book extends Namespaced { spec: BookSpec }
export interface BookSpec {
  isbn: string & Pattern<"^[0-9]+$">;
  pages: Int32 & Minimum<1>;
  authors: ListSet<Author>;
  shelf: Shelf;
  copies?: Int32 & Default<1>;
  size?: Size & Rule<"self < 9">;
  range?: Lower;
  note?: string & Nullable;
  marks?: ListSet<Author> & Always;
  base?: Shelf & Nullable;
  cover?: Shelf & Always;
}
export type Size = Int32 & Rule<"self > 0">;
export interface Range extends With<Rule<"self.from <= self.to">> { from: Int32; to: Int32 }
export type Lower = Range & Rule<"self.to < 100">;
export type Author = string & MinLength<1>;
export interface Shelf { row: string & MinLength<1> }
export interface Tome extends Namespaced { spec: Shelf }
export const book = kind<Book>({ plural: "books", selectableFields: ["spec.isbn", "spec.pages"] });
export const tome = kind<Tome>({ plural: "tomes" });`),
});

/** The parts of a document that the tests use. */
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Schemas };
  readonly definitions: Schemas;
}
type Schemas = Record<string, { readonly properties: Record<string, object> }>;
interface Operation {
  readonly consumes?: readonly string[];
  readonly requestBody?: { readonly content: object };
}

const v3 = openApiOf(generation, "v3/apis/library.example.com/v1") as unknown as Document;
const v2 = openApiOf(generation, "v2") as unknown as Document;
const OBJECTS = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];
const PATCHES = ["json-patch+json", "merge-patch+json", "strategic-merge-patch+json", "apply-patch+yaml"];

describe("OpenAPI documents of own kinds", () => {
  it("name the media types that clients may send", () => {
    for (const [path, method] of [
      [OWN, "post"],
      [`${OWN}/{name}`, "put"],
      [`${OWN}/{name}`, "delete"],
    ] as const) {
      expect(v2.paths[path]?.[method]?.consumes).toEqual(OBJECTS);
      expect(Object.keys(v3.paths[path]?.[method]?.requestBody?.content ?? {}).sort()).toEqual([...OBJECTS].sort());
    }
    expect(v2.paths[`${OWN}/{name}`]?.patch?.consumes).toEqual(PATCHES.map((type) => `application/${type}`));
    expect(JSON.stringify([v2, v3])).not.toContain("*/*");
  });

  it("list JSON first, which generated clients take for their own", () => {
    expect(Object.keys(v3.paths[OWN]?.post?.requestBody?.content ?? {})[0]).toBe("application/json");
  });

  it("say which fields the server shows as null, in version 3, which has a word for it", () => {
    const nullableIn = ({ properties }: { readonly properties: Record<string, object> }) =>
      Object.keys(properties).filter((name) => "nullable" in (properties[name] as object));
    const name = "com.example.library.v1.BookSpec";
    expect(nullableIn(v3.components.schemas[name] as never)).toEqual(["base", "marks", "note"]);
    expect(JSON.stringify(v2)).not.toContain('"nullable":');
  });

  it("contain the rules of named types besides those of fields", () => {
    const properties = v3.components.schemas["com.example.library.v1.BookSpec"]?.properties;
    expect(properties?.size).toMatchObject({
      "x-kubernetes-validations": [{ rule: "self > 0" }, { rule: "self < 9" }],
    });
    expect(properties?.range).toEqual({
      "x-kubernetes-validations": [{ rule: "self.to < 100" }],
      allOf: [{ $ref: "#/components/schemas/com.example.library.v1.Range" }],
    });
  });

  it("contain only defaults that definitions declare, since others may break the rules of a field", () => {
    const own = Object.entries(v3.components.schemas).filter(([name]) => name.startsWith("com.example.library"));
    expect(own.map(([name]) => name)).toContain("com.example.library.v1.Shelf");
    const defaults = JSON.stringify(own).match(/"default":[^,}]+/g);
    expect(defaults).toEqual(['"default":1']);
  });
});

describe("selectable fields", () => {
  const key = "x-kubernetes-selectable-fields";

  it("are in the OpenAPI documents of own kinds, as in those of custom kinds", () => {
    for (const schemas of [v3.components.schemas, v2.definitions]) {
      for (const kind of ["Book", "BookList"])
        expect(schemas[`com.example.library.v1.${kind}`]).toMatchObject({
          [key]: [{ fieldPath: "spec.isbn" }, { fieldPath: "spec.pages" }],
        });
      for (const kind of ["Tome", "TomeList", "BookSpec"])
        expect(schemas[`com.example.library.v1.${kind}`]).not.toHaveProperty([key]);
    }
  });

  it("are not in those of Kubernetes' own kinds, as kube-apiserver publishes none", () => {
    const { schemas } = (openApiDocuments().read("v3/apis/certificates.k8s.io/v1") as unknown as Document).components;
    expect(Object.keys(schemas)).toContain("io.k8s.api.certificates.v1.CertificateSigningRequest");
    expect(JSON.stringify(schemas)).not.toContain(key);
  });
});

it("OpenAPI documents of Kubernetes' own kinds accept any media type, as those of kube-apiserver say", () => {
  const apps = openApiDocuments().read("v3/apis/apps/v1") as unknown as Document;
  const create = apps.paths["/apis/apps/v1/namespaces/{namespace}/deployments"]?.post;
  expect(Object.keys(create?.requestBody?.content ?? {})).toEqual(["*/*"]);
});
