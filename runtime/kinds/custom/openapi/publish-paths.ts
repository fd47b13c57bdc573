import type { ResourceDescriptor } from "../../../contract/resource-descriptor.ts";
import { schemaName } from "./publish-schema.ts";

/** The kind whose published paths are the pattern: it is always there and has every part a custom kind may have. */
const PATTERN = { group: "apps", version: "v1", kind: "Deployment", plural: "deployments" };
const PATTERN_ROOT = `/apis/${PATTERN.group}/${PATTERN.version}/`;

/** Where the pattern is found: a document below `v3/`. */
export const PATTERN_DOCUMENT = `v3${PATTERN_ROOT.slice(0, -1)}`;

export function isPattern({ group, version, kind }: ResourceDescriptor): boolean {
  return group === PATTERN.group && version === PATTERN.version && kind === PATTERN.kind;
}

type Members = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name?: string;
  readonly $ref?: string;
}

type Operation = Members & { readonly responses: Members };

/** Media types of request bodies of built-in kinds. */
const EVERYTHING = "*/*";
/** Media types of request bodies of custom kinds. */
const SPOKEN = ["application/json", "application/yaml"];

/** The paths of the pattern, and the query parameters of a list in one namespace. */
export interface PathPattern {
  readonly paths: readonly PatternPath[];
  readonly listParameters: readonly Parameter[];
}

interface PatternPath {
  readonly path: string;
  readonly item: unknown;
  /** The part of the path that names the namespace; empty in the path of all namespaces. */
  readonly inNamespace: string;
  readonly subresource: string | undefined;
}

const PLACE = new RegExp(
  `^${PATTERN_ROOT}(namespaces/\\{namespace\\}/)?${PATTERN.plural}(?:/\\{name\\}(?:/(\\w+))?)?$`,
);

/** Finds the pattern in the paths of a document. */
export function pathPattern(paths: Members): PathPattern {
  const found = Object.entries(paths).flatMap(([path, item]): PatternPath[] => {
    const place = PLACE.exec(path);
    return place === null ? [] : [{ path, item, inNamespace: place[1] ?? "", subresource: place[2] }];
  });
  const list = paths[`${PATTERN_ROOT}namespaces/{namespace}/${PATTERN.plural}`] as {
    readonly get: { readonly parameters: readonly Parameter[] };
  };
  return { paths: found, listParameters: list.get.parameters };
}

/** The paths of a custom kind, derived from those of the pattern. */
export function publishPaths(
  { paths, listParameters }: PathPattern,
  resource: ResourceDescriptor,
  vendor: string,
): [path: string, item: unknown][] {
  const parts = new Set(resource.subresources.map(({ name }) => name));
  const adapter = new Adapter(resource, vendor, listParameters);
  const published: [string, unknown][] = [];
  for (const { path, item, inNamespace, subresource } of paths) {
    if (!resource.namespaced && inNamespace === "") continue;
    if (subresource !== undefined && !parts.has(subresource)) continue;
    const own = path
      .replace(PATTERN_ROOT, `/apis/${resource.group}/${resource.version}/`)
      .replace(resource.namespaced ? "" : inNamespace, "")
      .replace(PATTERN.plural, resource.resource);
    published.push([own, adapter.adapt(item)]);
  }
  return published;
}

/** Rewrites the OpenAPI of the pattern for a custom kind. */
class Adapter {
  readonly #resource: ResourceDescriptor;
  readonly #gvkKey: string;
  readonly #actionKey: string;
  readonly #groupName: string;
  readonly #listParameters: readonly Parameter[];

  constructor(resource: ResourceDescriptor, vendor: string, listParameters: readonly Parameter[]) {
    this.#resource = resource;
    this.#listParameters = listParameters;
    this.#gvkKey = `x-${vendor}-group-version-kind`;
    this.#actionKey = `x-${vendor}-action`;
    this.#groupName = resource.group.split(".").map(capitalized).join("");
  }

  adapt(value: unknown, key = ""): unknown {
    if (Array.isArray(value)) return this.#list(value, key);
    if (typeof value === "string") return this.#text(value, key);
    if (typeof value !== "object" || value === null) return value;
    if (key === this.#gvkKey) return this.#gvk();
    if (key === "content" && EVERYTHING in value) return this.adapt(inEach(value[EVERYTHING]));
    const said = this.#actionKey in value ? this.#operation(value as Operation) : value;
    const members = Object.entries(said).filter(([name]) => !isUnspoken(name));
    return Object.fromEntries(members.map(([name, member]) => [name, this.adapt(member, name)]));
  }

  /** Fewer responses, and other parameters, than for built-in kinds. */
  #operation(operation: Operation): Members {
    switch (operation[this.#actionKey]) {
      case "get":
        return {
          ...operation,
          parameters: this.#listParameters.filter((parameter) => isNamed(parameter, "resourceVersion")),
        };
      case "deletecollection": {
        const { requestBody: _body, ...rest } = operation;
        return { ...rest, parameters: this.#listParameters };
      }
      case "patch": {
        const { 201: _created, ...responses } = operation.responses;
        return { ...operation, responses };
      }
      default:
        return operation;
    }
  }

  #list(list: readonly unknown[], key: string): unknown[] {
    if (key === "consumes" && list.includes(EVERYTHING)) return [...SPOKEN];
    if (key === "tags") return [`${uncapitalized(this.#groupName)}_${this.#resource.version}`];
    const kept = list.filter((item) => {
      if (typeof item === "string") return !isUnspoken(item);
      return this.#resource.namespaced || key !== "parameters" || !isNamed(item as Parameter, "namespace");
    });
    return kept.map((item) => this.adapt(item));
  }

  #reference(text: string): string {
    const name = /\.apps\.v1\.Deployment(List)?$/.exec(text);
    if (name === null) return text;
    const { kind, listKind } = this.#resource;
    return (
      text.slice(0, text.lastIndexOf("/") + 1) + schemaName(this.#resource, name[1] === undefined ? kind : listKind)
    );
  }

  #text(text: string, key: string): string {
    const { kind, version, namespaced } = this.#resource;
    switch (key) {
      case "$ref":
        return this.#reference(text);
      case "operationId":
        return text
          .replace("AppsV1", this.#groupName + capitalized(version))
          .replace(PATTERN.kind, kind)
          .replace("Namespaced", namespaced ? "Namespaced" : "");
      case "description":
        return text.replace(PATTERN.kind, kind);
      default:
        return text;
    }
  }

  /** The custom kind, even for its scale subresource. */
  #gvk(): object {
    const { group, version, kind } = this.#resource;
    return { group, kind, version };
  }
}

/** Media types that custom kinds do not support, or that are not published for them. */
function isUnspoken(text: string): boolean {
  return /^application\/(?:vnd\.[\w.]+\.protobuf|strategic-merge-patch|json;stream=watch)/.test(text);
}

function inEach(body: unknown): Members {
  return Object.fromEntries(SPOKEN.map((type) => [type, body]));
}

/** In v2, shared parameters are references. */
function isNamed(parameter: Parameter, name: string): boolean {
  return parameter.name === name || parameter.$ref?.startsWith(`#/parameters/${name}-`) === true;
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function uncapitalized(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
