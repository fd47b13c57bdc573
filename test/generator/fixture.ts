import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { registry } from "../../generated/registry.ts";
import { renderDiagnostic } from "../../generator/diagnostics.ts";
import { type GenerateOptions, type Generation, generate } from "../../generator/generate.ts";
import { loadSourceTree } from "../../generator/load-source-tree.ts";
import { readDocuments } from "../../generator/publish-openapi.ts";
import type { SourceTree } from "../../generator/source-tree.ts";
import type { OpenApiDocument } from "../../runtime/openapi/json.ts";
import { createOpenApiDocuments, type OpenApiDocuments } from "../../runtime/openapi/openapi-documents.ts";

export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** The parts of the metadata types that every kind needs. */
const META = `import { type Always, kind, type OmitZero, type RawObject } from "../../vocabulary.ts";
export interface TypeMeta { kind?: string & OmitZero; apiVersion?: string & OmitZero }
/** Facts about one object. */
export interface ObjectMeta { name?: string & OmitZero; namespace?: string & OmitZero; resourceVersion?: string & OmitZero }
export interface ListMeta { resourceVersion?: string & OmitZero }
export interface Namespaced extends TypeMeta { metadata?: ObjectMeta & Always }
export interface ClusterScoped extends TypeMeta { metadata?: ObjectMeta & Always }
export interface ListOf<Item> extends TypeMeta { metadata?: ListMeta & Always; items: Item[] }
export interface Status extends TypeMeta { metadata?: ListMeta & Always; message?: string & OmitZero }
export interface DeleteOptions extends TypeMeta { dryRun?: string[] }
export interface WatchEvent { type: string; object: RawObject }
export interface Patch { value?: RawObject }
export interface APIGroup extends TypeMeta { name: string }
export interface APIGroupList extends TypeMeta { groups: APIGroup[] }
export interface APIResourceList extends TypeMeta { groupVersion: string }
export interface APIVersions extends TypeMeta { versions: string[] }
export const status = kind<Status>({ unserved: true });
export const deleteOptions = kind<DeleteOptions>({ unserved: true });`;

const META_GROUP = `import { group } from "../vocabulary.ts";
export const meta = group({ name: "meta.<domain>", versions: ["v1"], package: "apimachinery/pkg/apis/meta" });`;

const meta: [string, string][] = [
  ["api-definitions/meta/group.ts", META_GROUP],
  ["api-definitions/meta/v1/type-meta.ts", META],
  [
    "api-definitions/meta/v1/field-numbers.json",
    JSON.stringify({
      TypeMeta: { fields: { kind: 1, apiVersion: 2 } },
      ObjectMeta: { fields: { name: 1, namespace: 3, resourceVersion: 6 } },
      ListMeta: { fields: { resourceVersion: 2 } },
      Status: { fields: { metadata: 1, message: 3 } },
      DeleteOptions: { fields: { dryRun: 5 } },
      WatchEvent: { fields: { type: 1, object: 2 } },
      Patch: { fields: { value: 1 } },
      APIGroup: { fields: { name: 1 } },
      APIGroupList: { fields: { groups: 1 } },
      APIResourceList: { fields: { groupVersion: 1 } },
      APIVersions: { fields: { versions: 1 } },
    }),
  ],
];

export const BOOK = "api-definitions/library/v1/book.ts";
export const GROUP = "api-definitions/library/group.ts";

/** Returns the definitions of the whole real API. */
export function realTree(): Promise<SourceTree> {
  return loadSourceTree(root);
}

/** Returns small metadata types, a group named library.example.com, and the given files. */
export function treeOf(files: { readonly [path: string]: string }): SourceTree {
  const versions = ["v1", "v1beta1"].filter((version) =>
    Object.keys(files).some((path) => path.startsWith(`api-definitions/library/${version}/`)),
  );
  const group = `import { group } from "../vocabulary.ts";
export const library = group({ name: "library.example.com", versions: ${JSON.stringify(versions)} });`;
  return { files: new Map([...meta, [GROUP, group], ...Object.entries(files)]) };
}

/** Returns a file of library/v1: the usual imports, then the given text. */
export function definition(text: string): string {
  return `import type { ClusterScoped, Namespaced } from "../../meta/v1/type-meta.ts";
import type * as all from "../../vocabulary.ts";
import { ${WORDS.map((word) => `type ${word}`).join(", ")}, kind } from "../../vocabulary.ts";
${text}`;
}

const WORDS = [
  "Always",
  "Bytes",
  "Default",
  "Deprecated",
  "Discriminator",
  "Format",
  "Gated",
  "Immutable",
  "Int32",
  "Int64",
  "Json",
  "ListAtomic",
  "ListMap",
  "ListSet",
  "MapAtomic",
  "Maximum",
  "MaxItems",
  "MaxLength",
  "MaxProperties",
  "Minimum",
  "MinItems",
  "MinLength",
  "MinProperties",
  "Nullable",
  "OmitZero",
  "Open",
  "OptionalKeys",
  "PatchMerge",
  "Pattern",
  "Quantity",
  "Rule",
  "Schema",
  "StructAtomic",
  "Time",
  "With",
];

/** Generates from these files. Descriptions are checked only if a test requests it, because most tests are not about them. */
export function generateFrom(files: { readonly [path: string]: string }, options: GenerateOptions = {}): Generation {
  return generate(treeOf(files), { checksDescriptions: false, ...options });
}

/** Returns the diagnostics of a definition of library/v1, one string per diagnostic. `text` lacks the usual header lines, which are added. */
export function diagnose(
  text: string,
  more: { readonly [path: string]: string } = {},
  options: GenerateOptions = {},
): string[] {
  const { diagnostics } = generateFrom({ [BOOK]: definition(text), ...more }, options);
  return diagnostics.sorted().map(renderDiagnostic);
}

/** Returns a published OpenAPI document (`v2`, `v3/apis/library.example.com/v1`) of a generation. */
export function openApiOf(generation: Generation, path: string): OpenApiDocument {
  const document = readDocuments((name) => artifact(generation, `generated/${name}`)).read(path);
  if (document === undefined) throw new Error(`there is no document ${path}`);
  return document;
}

/** Returns the published documents of this repository. */
export function openApiDocuments(): OpenApiDocuments {
  return readDocuments((name) => readFileSync(join(root, "generated", name), "utf8"));
}

/** Returns the published documents without kinds of projects, for comparison with those of a real server. */
export function kubernetesDocuments(): OpenApiDocuments {
  const catalogue = registry.readCatalogue();
  const own = new Set(catalogue.groups.filter(({ kubernetes }) => !kubernetes).map(({ name }) => name));
  const resources = catalogue.resources.filter(({ group }) => !own.has(group));
  const modules = registry.openApiSchemas.modules().filter(({ kinds }) => !own.has(kinds?.group ?? ""));
  return createOpenApiDocuments({ ...catalogue, resources }, { ...registry.openApiSchemas, modules: () => modules });
}

export function artifact(generation: Generation, path: string): string {
  const found = generation.artifacts.find((one) => one.path === path);
  if (found === undefined) throw new Error(`${path} was not generated`);
  return found.text;
}
