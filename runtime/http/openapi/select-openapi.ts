import { type OpenApiParts, reachableParts } from "../../aggregation/openapi-references.ts";
import type { ApiSurface } from "../../kinds/api-surface.ts";
import type { Steps } from "../../lib/in-turns.ts";

/**
 * Returns the document without paths that are not served, and without schemas and parameters that only those used. Generated documents
 * describe every version that was ever released. `references` names what must be kept for parts that are inserted later.
 */
export function* selectOpenApi(
  document: OpenApiParts,
  surface: ApiSurface,
  references: readonly string[] = [],
): Steps<OpenApiParts> {
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => isServed(path, surface)));
  if (Object.keys(paths).length === Object.keys(document.paths).length) return document;
  const used = yield* reachableParts(document, paths, references);
  const keep = (part: string, entries: Readonly<Record<string, unknown>> | undefined) =>
    entries && Object.fromEntries(Object.entries(entries).filter(([name]) => used.has(`${part}/${name}`)));
  return {
    ...document,
    paths,
    ...(document.definitions && { definitions: keep("definitions", document.definitions) }),
    ...(document.parameters && { parameters: keep("parameters", document.parameters) }),
    ...(document.components && {
      components: { ...document.components, schemas: keep("components/schemas", document.components.schemas) },
    }),
  };
}

function isServed(path: string, surface: ApiSurface): boolean {
  const [root, ...rest] = path.split("/").filter((part) => part !== "");
  if (root !== "api" && root !== "apis") return true;
  const group = root === "api" ? "" : rest.shift();
  if (group === undefined) return true;
  const version = rest.shift();
  if (version === undefined) return surface.hasGroup(group);
  const parts = rest[0] === "watch" ? rest.slice(1) : rest;
  if (parts.length === 0) return surface.hasVersion(group, version);
  const isNamespaced = parts[0] === "namespaces" && parts.length > 2 && parts[1] === "{namespace}";
  const [resource = "", , subresource] = isNamespaced ? parts.slice(2) : parts;
  const found = surface.find(group, version, resource);
  if (found === undefined || subresource === undefined) return found !== undefined;
  return found.descriptor.subresources.some(({ name }) => name === subresource);
}
