import { stringifyJson } from "../../../encoding/json/stringify-json.ts";
import type { Steps } from "../../../lib/in-turns.ts";
import { type CustomDefinition, versionsOf } from "../definition/custom-definition.ts";
import type { DefinitionSource } from "../definition/definition-source.ts";
import { describeResources } from "../definition/describe-resources.ts";
import { PATTERN_DOCUMENT, publishPaths } from "./publish-paths.ts";
import { type PublishedVersion, publishSchemas } from "./publish-schema.ts";

export interface CustomDocumentParts {
  /** The documents without custom kinds. */
  readonly build: (path: string) => Steps<object | undefined>;
  /** The custom kinds that are served. */
  readonly definitions: () => Iterable<DefinitionSource>;
  readonly vendor: string;
}

type Members = Record<string, unknown>;

/** Adds custom kinds to the published documents: a document for each of their versions, and the one of version 2. */
export function withCustomKinds({
  build,
  definitions,
  ...parts
}: CustomDocumentParts): (path: string) => Steps<PublishedDocument | undefined> {
  return function* (path) {
    const document = (yield* build(path)) as PublishedDocument | undefined;
    const custom = [...definitions()].map((source) => source.full());
    if (custom.length === 0) return document;
    if (path === "v2" && document !== undefined) return yield* extendV2(document as V2Document, custom, parts);
    const [, group, version] = /^v3\/apis\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    const pattern = group === undefined || document !== undefined ? undefined : yield* build(PATTERN_DOCUMENT);
    if (pattern === undefined || group === undefined || version === undefined) return document;
    const kinds = custom.filter(({ spec }) => spec.group === group);
    return yield* buildV3(pattern as V3Document, kinds, version, parts);
  };
}

interface PublishedDocument {
  readonly paths: Members;
}

interface V2Document extends PublishedDocument {
  readonly definitions: Members;
}

type Writing = Pick<CustomDocumentParts, "vendor">;

function* extendV2(document: V2Document, custom: readonly CustomDefinition[], { vendor }: Writing): Steps<V2Document> {
  const meta = (name: string) => nameEnding(document.definitions, `.meta.v1.${name}`);
  const options = { vendor, format: "v2", metadata: meta("ObjectMeta"), listMetadata: meta("ListMeta") } as const;
  const paths: Members = { ...document.paths };
  const schemas: Members = { ...document.definitions };
  for (const { resource, published } of describe(custom)) {
    Object.assign(paths, publishPaths(document.paths, resource, vendor));
    Object.assign(schemas, publishSchemas(resource, published, options));
    yield;
  }
  return { ...document, paths, definitions: schemas };
}

interface V3Document extends PublishedDocument {
  readonly openapi: string;
  readonly components: { readonly schemas: Members };
}

function* buildV3(
  pattern: V3Document,
  custom: readonly CustomDefinition[],
  version: string,
  { vendor }: Writing,
): Steps<PublishedDocument | undefined> {
  const kinds = describe(custom).filter(({ resource }) => resource.version === version);
  if (kinds.length === 0) return undefined;
  const known = pattern.components.schemas;
  const meta = (name: string) => nameEnding(known, `.meta.v1.${name}`);
  const options = { vendor, format: "v3", metadata: meta("ObjectMeta"), listMetadata: meta("ListMeta") } as const;
  const paths: Members = {};
  const own: Members = {};
  for (const { resource, published } of kinds) {
    Object.assign(paths, publishPaths(pattern.paths, resource, vendor));
    Object.assign(own, publishSchemas(resource, published, options));
    yield;
  }
  const schemas = yield* referred([...Object.values(paths), ...Object.values(own)], { ...known, ...own });
  const document = {
    openapi: pattern.openapi,
    info: { title: "Kubernetes CRD Swagger", version: "v0.1.0" },
    paths,
    components: { schemas: withoutForeignGroups(schemas, vendor) },
  };
  return document;
}

function describe(custom: readonly CustomDefinition[]) {
  return custom.flatMap((definition) =>
    describeResources(definition).map((resource) => {
      const version = versionsOf(definition).find(({ name }) => name === resource.version);
      const published: PublishedVersion = {
        schema: version?.schema?.openAPIV3Schema,
        preservesUnknown: definition.spec.preserveUnknownFields === true,
        selectableFields: version?.selectableFields ?? [],
      };
      return { resource, published };
    }),
  );
}

function nameEnding(schemas: Members, end: string): string {
  return Object.keys(schemas).find((name) => name.endsWith(end)) ?? "";
}

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

/** The schemas that are referenced, directly or indirectly, by name. */
function* referred(from: readonly unknown[], schemas: Members): Steps<Members> {
  const found = new Set<string>();
  const pending: unknown[] = [...from];
  while (pending.length > 0) {
    for (const [, name = ""] of stringifyJson(pending.pop()).matchAll(REFERENCE)) {
      if (found.has(name) || !Object.hasOwn(schemas, name)) continue;
      found.add(name);
      pending.push(schemas[name]);
    }
    yield;
  }
  return Object.fromEntries([...found].sort().map((name) => [name, schemas[name]]));
}

/** Groups that Kubernetes serves elsewhere than custom kinds, or not at all. */
const FOREIGN = new Set(["admission", "apiextensions", "apiregistration", "imagepolicy"]);

/** Removes groups that are not served together with custom kinds from schemas that several groups share. */
function withoutForeignGroups(schemas: Members, vendor: string): Members {
  const key = `x-${vendor}-group-version-kind`;
  const entries = Object.entries(schemas as Record<string, Members>).map(([name, schema]) => {
    const gvks = schema[key] as readonly { readonly group: string }[] | undefined;
    if (gvks === undefined || gvks.length === 1) return [name, schema];
    return [name, { ...schema, [key]: gvks.filter(({ group }) => !FOREIGN.has(group.split(".", 1)[0] ?? "")) }];
  });
  return Object.fromEntries(entries);
}
