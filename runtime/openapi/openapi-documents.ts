import type { SchemaSource } from "../contract/api-registry.ts";
import type { ApiCatalogue, ResourceDescriptor } from "../contract/resource-descriptor.ts";
import type { TypeRef } from "../contract/type-table.ts";
import { atOnce, type Steps } from "../lib/in-turns.ts";
import { allGroups, coreVersions, oneGroup, versionResources } from "./discovery-operations.ts";
import { documentV2 } from "./document-v2.ts";
import { type DocumentContext, documentV3 } from "./document-v3.ts";
import type { OpenApiDocument } from "./json.ts";
import { capitalize, versionPath } from "./openapi-names.ts";
import { type Operation, type OperationContext, resourceOperations } from "./operations.ts";
import { optionParameters } from "./parameters.ts";
import { Schemas } from "./schemas.ts";
import { SERVER_PATHS, serverPaths } from "./server-paths.ts";

export interface OpenApiDocuments {
  /** Paths of all documents: `v2`, `v3/api`, `v3/apis/apps/v1` … */
  paths(): readonly string[];
  /** Returns a document, built on demand, or undefined if it does not exist. */
  read(path: string): OpenApiDocument | undefined;
  /** Like `read`, in steps. */
  build(path: string): Steps<OpenApiDocument | undefined>;
}

/**
 * Builds the published documents from generated schemas: in version 3, one per version of a group and one per group; in version 2, a single
 * one. They describe every version that was ever defined; the server removes those that it does not serve.
 */
export function createOpenApiDocuments(catalogue: ApiCatalogue, source: SchemaSource): OpenApiDocuments {
  const { domain, vendor, release, project } = catalogue;
  const prefix = domain.split(".").reverse().join(".");
  const schemas = new Schemas(source, vendor);
  const info = { title: project?.title ?? capitalize(vendor), version: project?.release ?? release };
  const context: DocumentContext = { info, vendor, schemas };
  const own = new Set(catalogue.groups.filter(({ kubernetes }) => !kubernetes).map(({ name }) => name));
  const operating: OperationContext = {
    domain,
    optionParameters: (type: TypeRef) =>
      optionParameters(type.slice(type.lastIndexOf(".") + 1), schemas.get(schemas.nameOf(type), "v3")?.schema ?? {}),
    isOwn: (group) => own.has(group),
  };
  const documents = documentOperations(catalogue.resources, operating);

  function* build(path: string): Steps<OpenApiDocument | undefined> {
    if (path === "v2") {
      const everything: Operation[] = [];
      for (const operations of documents.values()) {
        everything.push(...operations());
        yield;
      }
      return yield* documentV2(context, everything, serverPaths(Object.values(SERVER_PATHS).flat(), "v2", prefix));
    }
    const name = path.startsWith("v3/") ? path.slice("v3/".length) : "";
    const operations = documents.get(name);
    if (operations !== undefined) return yield* documentV3(context, operations());
    const server = Object.hasOwn(SERVER_PATHS, name) ? SERVER_PATHS[name] : undefined;
    return server && (yield* documentV3(context, [], serverPaths(server, "v3", prefix)));
  }
  const paths = ["v2", ...[...documents.keys(), ...Object.keys(SERVER_PATHS)].map((name) => `v3/${name}`)].sort();
  return { paths: () => paths, build, read: (path) => atOnce(build(path)) };
}

/** The operations of each document of version 3, by path of the document. */
function documentOperations(
  resources: readonly ResourceDescriptor[],
  context: OperationContext,
): Map<string, () => Operation[]> {
  const { domain } = context;
  const versions = new Map<string, ResourceDescriptor[]>();
  for (const resource of resources) {
    const path = versionPath(resource.group, resource.version);
    versions.set(path, [...(versions.get(path) ?? []), resource]);
  }
  const groups = [...new Set(resources.map(({ group }) => group))].filter((group) => group !== "");
  const documents = new Map<string, () => Operation[]>();
  documents.set("api", () => [coreVersions()]);
  documents.set("apis", () => [allGroups()]);
  for (const group of groups) documents.set(`apis/${group}`, () => [oneGroup(domain, group)]);
  for (const [path, members] of versions) {
    const { group, version } = members[0]!;
    documents.set(path.slice(1), () => [
      versionResources(domain, group, version),
      ...members.flatMap((resource) => resourceOperations(context, resource)),
    ]);
  }
  return documents;
}
