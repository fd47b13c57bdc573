import { dereference } from "@apidevtools/json-schema-ref-parser";
import { Validator } from "@seriousme/openapi-schema-validator";
import openapiTS, { astToString } from "openapi-typescript";
import { describe, expect, it } from "vitest";
import { openApiDocuments } from "./fixture.ts";

const published = openApiDocuments();
const documents = published.paths();
/** Generates types from the documents of stable versions; `make client-generators` does so for all. */
const ALL = process.env.DOCUMENTS === "all";
const read = (path: string) => JSON.parse(JSON.stringify(published.read(path)));

describe("OpenAPI documents", () => {
  it("are there for every version", () => {
    expect(documents).toContain("v2");
    expect(documents).toContain("v3/api/v1");
    expect(documents.length).toBeGreaterThan(80);
  });

  it("pass a strict validator, each of them", async () => {
    // The validator reads a field with the name $ref, as in JSON schemas, as a reference.
    const renamed = (name: string) => JSON.parse(JSON.stringify(read(name)).replaceAll('"$ref":{', '"ref":{'));
    const validator = new Validator();
    const problems: string[] = [];
    for (const name of documents) {
      const { valid, errors } = await validator.validate(renamed(name));
      if (!valid) problems.push(`${name}: ${JSON.stringify(errors).slice(0, 500)}`);
    }
    expect(problems).toEqual([]);
  });

  it("contain no dangling references", async () => {
    for (const name of documents) {
      const document = read(name);
      const used = new Set(JSON.stringify(document).match(/(?<="\$ref":"#\/)[^"]+/g) ?? []);
      for (const ref of used) {
        const found = ref.split("/").reduce((node, key) => node?.[key], document);
        expect(found, `${name}: ${ref}`).toBeDefined();
      }
    }
    await expect(dereference(read("v3/apis/apps/v1"))).resolves.toBeDefined();
  });

  it("name every operation once", () => {
    const seen = new Set<string>();
    for (const item of Object.values<Record<string, { operationId?: string }>>(read("v2").paths)) {
      for (const { operationId } of Object.values(item)) {
        if (operationId === undefined) continue;
        expect(seen.has(operationId), operationId).toBe(false);
        seen.add(operationId);
      }
    }
    expect(seen.size).toBeGreaterThan(700);
  });

  it("become TypeScript types with openapi-typescript, documents of version 3", async () => {
    for (const name of documents.filter((one) => one.startsWith("v3/") && (ALL || one.endsWith("/v1")))) {
      const text = astToString(await openapiTS(read(name)));
      expect(text, name).toContain("export interface paths");
    }
  });
});
