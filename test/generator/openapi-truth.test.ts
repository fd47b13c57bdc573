import { existsSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import type { OpenAPIV3 } from "openapi-types";
import { describe, expect, it } from "vitest";
import { wireFolder, wirePairs } from "../fixtures/facts-tables.ts";
import { openApiDocuments } from "./fixture.ts";

type Schemas = NonNullable<OpenAPIV3.ComponentsObject["schemas"]>;
type KindMark = readonly { readonly group: string; readonly version: string; readonly kind: string }[];

/** The schemas of all published documents. A name means the same in all of them. */
function publishedSchemas(): Schemas {
  const documents = openApiDocuments();
  const paths = documents.paths().filter((path) => path.startsWith("v3/"));
  return Object.assign(
    {},
    ...paths.map((path) => {
      // A field with the name $ref, as in JSON schemas, would be read as a reference.
      const text = JSON.stringify(documents.read(path)).replaceAll(/"\$ref":\s*\{/g, '"ref":{');
      return (JSON.parse(text) as OpenAPIV3.Document).components?.schemas;
    }),
  );
}

/** Validators of objects, for every published `apiVersion/kind`. */
function publishedKinds(): ReadonlyMap<string, () => ValidateFunction> {
  const schemas = publishedSchemas();
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true, verbose: true });
  ajv.addSchema({ components: { schemas } }, "published");
  const kinds = new Map<string, () => ValidateFunction>();
  for (const [name, schema] of Object.entries(schemas)) {
    const marks = (schema as { "x-kubernetes-group-version-kind"?: KindMark })["x-kubernetes-group-version-kind"];
    if (marks?.length !== 1) continue;
    for (const { group, version, kind } of marks) {
      const apiVersion = group === "" ? version : `${group}/${version}`;
      kinds.set(`${apiVersion}/${kind}`, () => ajv.compile({ $ref: `published#/components/schemas/${name}` }));
    }
  }
  return kinds;
}

/**
 * Golden objects contain invented strings, which are in no closed set, and print a zero time as null, which the schemas of Kubernetes do not
 * allow either.
 */
const isKnownToDiffer = (keyword: string, data: unknown) => keyword === "enum" || data === null;

/** Clients are generated from the published schemas, so these must match the objects that Kubernetes sends. */
describe.skipIf(!existsSync(wireFolder))("published schemas and golden objects (skipped without ../shared)", () => {
  it("agree about every kind that is published", () => {
    const kinds = publishedKinds();
    const problems: string[] = [];
    let checked = 0;
    for (const { file, json } of wirePairs()) {
      const object = JSON.parse(json) as { readonly apiVersion?: string; readonly kind?: string };
      const check = kinds.get(`${object.apiVersion}/${object.kind}`)?.();
      if (check === undefined) continue;
      checked++;
      check(object);
      for (const { keyword, data, instancePath, message } of check.errors ?? [])
        if (!isKnownToDiffer(keyword, data)) problems.push(`${file}: ${instancePath} ${message}`);
      expect(check({ ...object, kind: 7 }), `${file} with a number for its kind`).toBe(false);
    }
    expect(problems).toEqual([]);
    expect(checked).toBeGreaterThan(100);
  });
});
