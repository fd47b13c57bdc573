import { readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { ApiRegistry } from "../runtime/contract/api-registry.ts";
import { closest } from "../runtime/lib/did-you-mean.ts";
import type { OpenApiDocument } from "../runtime/openapi/json.ts";
import { createOpenApiDocuments, type OpenApiDocuments } from "../runtime/openapi/openapi-documents.ts";
import type { ApiCatalogue } from "./model/contract.ts";

export interface Publication {
  readonly written: number;
  /** Error message if nothing was written. */
  readonly problem?: string;
}

/**
 * Writes the OpenAPI documents to a folder and replaces its content. Writes all of them, or version 3 of the given groups (`apps`,
 * `library.example.com/v1`; `core` is the group without a name, `own` are those that are not part of Kubernetes). The source is the project's
 * `generated/` folder, or a registry that contains more groups.
 */
export async function publishOpenApi(
  root: string,
  target: string,
  groups: readonly string[],
  registry?: Pick<ApiRegistry, "readCatalogue" | "openApiSchemas">,
): Promise<Publication> {
  const read = (path: string): string => readFileSync(join(root, "generated", path), "utf8");
  const catalogue = registry?.readCatalogue() ?? (JSON.parse(read("resources.json")) as ApiCatalogue);
  const documents =
    registry === undefined ? readDocuments(read) : createOpenApiDocuments(catalogue, registry.openApiSchemas);
  const own = catalogue.groups.filter(({ kubernetes }) => !kubernetes);
  const known = new Map<string, string[]>([["own", []]]);
  for (const path of documents.paths()) {
    const names = namesOf(path);
    const isOwn = own.some(({ name }) => names.includes(name));
    for (const name of isOwn ? [...names, "own"] : names) known.set(name, [...(known.get(name) ?? []), path]);
  }
  const unknown = groups.find((name) => !known.has(name));
  if (unknown !== undefined) {
    const meant = closest(unknown, [...known.keys()]);
    const problem = `no group or version named ${unknown}${meant === undefined ? "" : `; did you mean ${meant}?`}`;
    return { written: 0, problem };
  }
  const folder = resolve(root, target);
  await rm(folder, { recursive: true, force: true });
  const paths = groups.length === 0 ? documents.paths() : [...new Set(groups.flatMap((name) => known.get(name) ?? []))];
  for (const path of paths) {
    const file = join(folder, `${path}.json`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${print(documents.read(path)!)}\n`);
  }
  return { written: paths.length };
}

/** Returns the documents, built from generated files. `read` receives their path below `generated/`. */
export function readDocuments(read: (path: string) => string): OpenApiDocuments {
  const catalogue = JSON.parse(read("resources.json")) as ApiCatalogue;
  return createOpenApiDocuments(catalogue, {
    modules: () => JSON.parse(read("openapi/modules.json")),
    schemas: (name) => JSON.parse(read(`openapi/schemas/${name}.json`)),
  });
}

/** Returns the names that select a document: `apps` and `apps/v1` for `v3/apis/apps/v1`. */
function namesOf(path: string): string[] {
  const [, group, version] = /^v3\/apis\/([^/]+)\/([^/]+)$/.exec(path.replace(/^v3\/api\//, "v3/apis/core/")) ?? [];
  return group === undefined ? [] : [group, `${group}/${version}`];
}

/** Formats the document as compact JSON with one path or definition per line. */
function print(document: OpenApiDocument): string {
  return printMembers(document, (key, value) =>
    key === "components"
      ? printMembers(value, (part, members) => (part === "schemas" ? printMembers(members) : JSON.stringify(members)))
      : ["paths", "definitions", "parameters"].includes(key)
        ? printMembers(value)
        : JSON.stringify(value),
  );
}

function printMembers(
  members: object,
  printValue: (key: string, value: object) => string = (_, value) => JSON.stringify(value),
): string {
  const lines = Object.entries(members).map(([key, value]) => `${JSON.stringify(key)}:${printValue(key, value)}`);
  return `{\n${lines.join(",\n")}\n}`;
}
