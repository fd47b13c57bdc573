import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { kubernetesDocuments, root } from "./fixture.ts";

type Json = { [key: string]: unknown };
interface Scenario {
  group: string;
  name: string;
  steps: { path: string }[];
  answers: { parts?: { [part: string]: Json } }[];
}

const recordings = join(root, "../shared/conformance/answers.jsonl.gz");
const present = existsSync(recordings);
if (!present)
  console.warn("no recorded answers beside the repository: OpenAPI documents are not compared with a real server's");

const NAMES = new Set([
  "properties",
  "definitions",
  "schemas",
  "paths",
  "responses",
  "parameters",
  "patternProperties",
]);
const METHODS = ["get", "put", "post", "delete", "options", "head", "patch"];

/** Removes descriptions, which this project writes itself. */
function bare(node: unknown, names = false): unknown {
  if (Array.isArray(node)) return node.map((item) => bare(item));
  if (typeof node !== "object" || node === null) return node;
  const kept = Object.entries(node).filter(
    ([key, value]) => names || key !== "description" || typeof value !== "string",
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, bare(value, !names && NAMES.has(key))]));
}

/** A document in the form of the recordings: each schema and each operation individually. */
function partsOf(document: Json): { [part: string]: unknown } {
  const { paths = {}, definitions, components = {}, info: _, ...rest } = document as { [key: string]: Json };
  const { schemas, ...shared } = components as { schemas?: Json };
  const parts: { [part: string]: unknown } = { document: bare(rest), shared: bare(shared) };
  for (const [name, schema] of Object.entries(definitions ?? schemas ?? {})) parts[`schema ${name}`] = bare(schema);
  for (const [path, item] of Object.entries(paths as { [path: string]: { [method: string]: Json } })) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation === undefined) continue;
      const all = [...((operation.parameters as Json[]) ?? []), ...((item.parameters as unknown as Json[]) ?? [])];
      const key = ({ name, in: place, $ref }: Json): string =>
        JSON.stringify([name ?? null, place ?? null, $ref ?? null]);
      const parameters = (bare(all) as Json[]).sort((a, b) => (key(a) < key(b) ? -1 : 1));
      parts[`${method.toUpperCase()} ${path}`] = { ...(bare(operation) as Json), parameters };
    }
  }
  return parts;
}

describe.skipIf(!present)("OpenAPI documents compared with those of a real server", () => {
  const scenarios = present
    ? gunzipSync(readFileSync(recordings))
        .toString("utf8")
        .split("\n")
        .filter((line) => line.startsWith('{"group": "openapi"'))
        .map((line) => JSON.parse(line) as Scenario)
    : [];

  it("say the same about every schema and every operation", () => {
    const documents = kubernetesDocuments();
    const different: string[] = [];
    let compared = 0;
    for (const { steps, answers } of scenarios) {
      for (const [index, { path }] of steps.entries()) {
        const recorded = answers[index]?.parts;
        if (recorded === undefined) continue;
        const name = path.slice("/openapi/".length);
        const ours = partsOf(JSON.parse(JSON.stringify(documents.read(name))));
        for (const [part, expected] of Object.entries(recorded)) {
          compared++;
          if (!isSame(ours[part], expected)) different.push(`${name} ${part}`);
        }
      }
    }
    expect(compared).toBeGreaterThan(3000);
    expect(different).toEqual([]);
  });
});

function isSame(a: unknown, b: unknown): boolean {
  try {
    expect(a).toEqual(b);
    return true;
  } catch {
    return false;
  }
}
