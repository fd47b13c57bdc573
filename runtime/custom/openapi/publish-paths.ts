import type { ResourceDescriptor } from "../../contract/resource-descriptor.ts";
import { schemaName } from "./publish-schema.ts";

/** The kind whose published paths are the pattern: it is always there and has every part a custom kind may have. */
const PATTERN = { group: "apps", version: "v1", kind: "Deployment", plural: "deployments" };
const PATTERN_ROOT = `/apis/${PATTERN.group}/${PATTERN.version}/`;

/** Where the pattern is found: a document below `v3/`. */
export const PATTERN_DOCUMENT = `v3${PATTERN_ROOT.slice(0, -1)}`;

type Paths = Readonly<Record<string, unknown>>;

/** The paths of a custom kind, made after those of the pattern. */
export function publishPaths(pattern: Paths, resource: ResourceDescriptor, vendor: string): Record<string, unknown> {
  const parts = new Set(resource.subresources.map(({ name }) => name));
  const adapter = new Adapter(resource, vendor);
  const published: Record<string, unknown> = {};
  for (const [path, item] of Object.entries(pattern)) {
    const place = new RegExp(
      `^${PATTERN_ROOT}(namespaces/\\{namespace\\}/)?${PATTERN.plural}(?:/\\{name\\}(?:/(\\w+))?)?$`,
    ).exec(path);
    if (place === null) continue;
    const [, inNamespace = "", part] = place;
    if ((!resource.namespaced && inNamespace === "") || (part !== undefined && !parts.has(part))) continue;
    const own = path
      .replace(PATTERN_ROOT, `/apis/${resource.group}/${resource.version}/`)
      .replace(resource.namespaced ? "" : inNamespace, "")
      .replace(PATTERN.plural, resource.resource);
    published[own] = adapter.adapt(item);
  }
  return published;
}

/** Rewrites what is said of the pattern so that it is said of a custom kind. */
class Adapter {
  readonly #resource: ResourceDescriptor;
  readonly #gvkKey: string;
  readonly #groupName: string;

  constructor(resource: ResourceDescriptor, vendor: string) {
    this.#resource = resource;
    this.#gvkKey = `x-${vendor}-group-version-kind`;
    this.#groupName = resource.group.split(".").map(capitalized).join("");
  }

  adapt(value: unknown, key = ""): unknown {
    if (Array.isArray(value)) return this.#list(value, key);
    if (typeof value === "string") return this.#text(value, key);
    if (typeof value !== "object" || value === null) return value;
    if (key === this.#gvkKey) return this.#gvk(value as { readonly group: string });
    const members = Object.entries(value).filter(([name]) => !isUnspoken(name));
    return Object.fromEntries(members.map(([name, member]) => [name, this.adapt(member, name)]));
  }

  #list(list: readonly unknown[], key: string): unknown[] {
    if (key === "tags") return [`${uncapitalized(this.#groupName)}_${this.#resource.version}`];
    const kept = list.filter((item) => {
      if (typeof item === "string") return !isUnspoken(item);
      return this.#resource.namespaced || key !== "parameters" || !isNamespaceParameter(item as object);
    });
    return kept.map((item) => this.adapt(item));
  }

  #text(text: string, key: string): string {
    const { kind, listKind, version, namespaced } = this.#resource;
    switch (key) {
      case "$ref":
        return text.replace(/[^/]*\.apps\.v1\.Deployment(List)?$/, (_all, list) =>
          schemaName(this.#resource, list === undefined ? kind : listKind),
        );
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

  /** Scale stays what it is. */
  #gvk(gvk: { readonly group: string }): object {
    const { group, version, kind } = this.#resource;
    return gvk.group === PATTERN.group ? { group, version, kind } : gvk;
  }
}

/** Media types that custom kinds do not come in. */
function isUnspoken(text: string): boolean {
  return /^application\/(?:vnd\.[\w.]+\.protobuf|strategic-merge-patch)/.test(text);
}

function isNamespaceParameter(parameter: { readonly name?: string; readonly $ref?: string }): boolean {
  return parameter.name === "namespace" || parameter.$ref?.startsWith("#/parameters/namespace-") === true;
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function uncapitalized(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
