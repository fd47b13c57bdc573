import type { ResourceDescriptor } from "../../../contract/resource-descriptor.ts";
import { stringifyJson } from "../../../encoding/json/stringify-json.ts";
import type { JsonMember } from "./json-member.ts";
import { schemaName } from "./publish-schema.ts";

/**
 * The pattern: the built-in kind after whose published paths those of custom kinds are modeled. It always exists and has all subresources that
 * a custom kind may have.
 */
const PATTERN = { group: "apps", version: "v1", kind: "Deployment", plural: "deployments" };
const PATTERN_ROOT = `/apis/${PATTERN.group}/${PATTERN.version}/`;

/** The document that contains the pattern: a path below `v3/`. */
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

/** The paths of the pattern kind, and the query parameters of its list in one namespace. */
interface PathPattern {
  readonly paths: readonly PatternPath[];
  readonly listParameters: readonly Parameter[];
}

interface PatternPath {
  readonly path: string;
  readonly item: unknown;
  /** The part of the path that names the namespace. Empty in the path for all namespaces. */
  readonly inNamespace: string;
  readonly subresource: string | undefined;
}

const PLACE = new RegExp(
  `^${PATTERN_ROOT}(namespaces/\\{namespace\\}/)?${PATTERN.plural}(?:/\\{name\\}(?:/(\\w+))?)?$`,
);

/** Finds the pattern kind in the paths of a document. */
function pathPattern(paths: Members): PathPattern {
  const found = Object.entries(paths).flatMap(([path, item]): PatternPath[] => {
    const place = PLACE.exec(path);
    return place === null ? [] : [{ path, item, inNamespace: place[1] ?? "", subresource: place[2] }];
  });
  const list = paths[`${PATTERN_ROOT}namespaces/{namespace}/${PATTERN.plural}`] as {
    readonly get: { readonly parameters: readonly Parameter[] };
  };
  return { paths: found, listParameters: list.get.parameters };
}

/** The paths that a custom kind adds to a document. */
export interface PublishedPaths {
  readonly paths: readonly JsonMember[];
  /** Names of referenced components: `definitions/<name>`, `parameters/<name>`, `components/schemas/<name>`. */
  readonly references: readonly string[];
}

/** Like `PublishedPaths`, with placeholders for the names of a kind. */
interface PathsTemplate {
  readonly paths: readonly { readonly path: Template; readonly item: Template }[];
  readonly references: readonly Template[];
}

const REFERENCE = /"\$ref":"#\/(definitions|parameters|components\/schemas)\/([^"]+)"/g;

/**
 * Publishes the paths of custom kinds, derived from those of the pattern kind. Kinds with the same scope and subresources differ only in names,
 * so their paths are adapted and printed once, with placeholders for the names.
 */
export class PathPublisher {
  readonly #pattern: PathPattern;
  readonly #vendor: string;
  /** Keyed by scope and subresources. */
  readonly #templates = new Map<string, PathsTemplate>();

  /** `paths` are those of a document that contains the pattern kind. */
  constructor(paths: Members, vendor: string) {
    this.#pattern = pathPattern(paths);
    this.#vendor = vendor;
  }

  publish(resource: ResourceDescriptor): PublishedPaths {
    const { paths, references } = this.#templateOf(resource);
    const names = namesOf(resource);
    const printed = mapNames(names, (name) => stringifyJson(name).slice(1, -1));
    return {
      paths: paths.map(({ path, item }) => [path.fill(names), item.fill(printed)]),
      references: references.map((reference) => reference.fill(names)),
    };
  }

  #templateOf({ namespaced, subresources }: ResourceDescriptor): PathsTemplate {
    const parts = subresources.map(({ name }) => name).sort();
    const key = `${namespaced} ${parts.join()}`;
    let template = this.#templates.get(key);
    if (template === undefined) this.#templates.set(key, (template = this.#makeTemplate(namespaced, new Set(parts))));
    return template;
  }

  #makeTemplate(namespaced: boolean, parts: ReadonlySet<string>): PathsTemplate {
    const { paths, listParameters } = this.#pattern;
    const adapter = new Adapter(namespaced, this.#vendor, listParameters);
    const made: PathsTemplate["paths"][number][] = [];
    const references = new Set<string>();
    for (const { path, item, inNamespace, subresource } of paths) {
      if (!namespaced && inNamespace === "") continue;
      if (subresource !== undefined && !parts.has(subresource)) continue;
      const own = path
        .replace(PATTERN_ROOT, `/apis/${PLACES.group}/${PLACES.version}/`)
        .replace(namespaced ? "" : inNamespace, "")
        .replace(PATTERN.plural, PLACES.plural);
      const json = stringifyJson(adapter.adapt(item));
      made.push({ path: new Template(own), item: new Template(json) });
      for (const [, where, name] of json.matchAll(REFERENCE)) references.add(`${where}/${name}`);
    }
    return { paths: made, references: [...references].map((reference) => new Template(reference)) };
  }
}

/** The names in which the paths of two kinds differ. */
type PathNames = Readonly<Record<keyof typeof PLACES, string>>;

/** Placeholders in a template: Unicode noncharacters, which no published text contains. */
const PLACES = {
  group: "\ufdd0",
  version: "\ufdd1",
  plural: "\ufdd2",
  kind: "\ufdd3",
  /** `ExampleCom`. */
  groupWord: "\ufdd4",
  /** `exampleCom`. */
  tag: "\ufdd5",
  /** `V1`. */
  versionWord: "\ufdd6",
  schema: "\ufdd7",
  listSchema: "\ufdd8",
} as const;
const PLACE_NAMES = Object.keys(PLACES) as (keyof typeof PLACES)[];
const EACH_PLACE = /([\ufdd0-\ufdd8])/;

function namesOf(resource: ResourceDescriptor): PathNames {
  const { group, version, kind, listKind } = resource;
  const groupWord = group.split(".").map(capitalized).join("");
  return {
    group,
    version,
    plural: resource.resource,
    kind,
    groupWord,
    tag: uncapitalized(groupWord),
    versionWord: capitalized(version),
    schema: schemaName(resource, kind),
    listSchema: schemaName(resource, listKind),
  };
}

function mapNames(names: PathNames, map: (name: string) => string): PathNames {
  const mapped = { ...names };
  for (const name of PLACE_NAMES) mapped[name] = map(names[name]);
  return mapped;
}

/** Text with placeholders for the names of a kind. */
class Template {
  /** The text before, between and after the placeholders. */
  readonly #texts: readonly string[];
  readonly #places: readonly (keyof typeof PLACES)[];

  constructor(text: string) {
    const pieces = text.split(EACH_PLACE);
    this.#texts = pieces.filter((_, index) => index % 2 === 0);
    this.#places = pieces
      .filter((_, index) => index % 2 === 1)
      .map((piece) => PLACE_NAMES.find((name) => PLACES[name] === piece) as keyof typeof PLACES);
  }

  fill(names: PathNames): string {
    let text = this.#texts[0] as string;
    for (let i = 0; i < this.#places.length; i++) {
      text += names[this.#places[i] as keyof typeof PLACES] + (this.#texts[i + 1] as string);
    }
    return text;
  }
}

/** Rewrites the OpenAPI of the pattern kind for custom kinds, with placeholders for their names. */
class Adapter {
  readonly #namespaced: boolean;
  readonly #gvkKey: string;
  readonly #actionKey: string;
  readonly #listParameters: readonly Parameter[];

  constructor(namespaced: boolean, vendor: string, listParameters: readonly Parameter[]) {
    this.#namespaced = namespaced;
    this.#listParameters = listParameters;
    this.#gvkKey = `x-${vendor}-group-version-kind`;
    this.#actionKey = `x-${vendor}-action`;
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

  /** Adapts an operation: custom kinds have fewer responses and different parameters than built-in kinds. */
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
    if (key === "tags") return [`${PLACES.tag}_${PLACES.version}`];
    const kept = list.filter((item) => {
      if (typeof item === "string") return !isUnspoken(item);
      return this.#namespaced || key !== "parameters" || !isNamed(item as Parameter, "namespace");
    });
    return kept.map((item) => this.adapt(item));
  }

  #reference(text: string): string {
    const name = /\.apps\.v1\.Deployment(List)?$/.exec(text);
    if (name === null) return text;
    return text.slice(0, text.lastIndexOf("/") + 1) + (name[1] === undefined ? PLACES.schema : PLACES.listSchema);
  }

  #text(text: string, key: string): string {
    switch (key) {
      case "$ref":
        return this.#reference(text);
      case "operationId":
        return text
          .replace("AppsV1", PLACES.groupWord + PLACES.versionWord)
          .replace(PATTERN.kind, PLACES.kind)
          .replace("Namespaced", this.#namespaced ? "Namespaced" : "");
      case "description":
        return text.replace(PATTERN.kind, PLACES.kind);
      default:
        return text;
    }
  }

  /** Always the custom kind, even for its scale subresource. */
  #gvk(): object {
    const { group, version, kind } = PLACES;
    return { group, kind, version };
  }
}

/** Whether a media type is not supported by custom kinds, or not published for them. */
function isUnspoken(text: string): boolean {
  return /^application\/(?:vnd\.[\w.]+\.protobuf|strategic-merge-patch|json;stream=watch)/.test(text);
}

function inEach(body: unknown): Members {
  return Object.fromEntries(SPOKEN.map((type) => [type, body]));
}

/** Whether a parameter has this name. In v2, shared parameters are references. */
function isNamed(parameter: Parameter, name: string): boolean {
  return parameter.name === name || parameter.$ref?.startsWith(`#/parameters/${name}-`) === true;
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function uncapitalized(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
