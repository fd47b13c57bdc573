import type { ResourceDescriptor } from "../../../contract/resource-descriptor.ts";
import { stringifyJson } from "../../../encoding/json/stringify-json.ts";
import { versionsOf } from "../definition/custom-definition.ts";
import type { DefinitionSource } from "../definition/definition-source.ts";
import { type PathPattern, pathPattern, publishPaths } from "./publish-paths.ts";
import { type PublishOptions, publishSchemas } from "./publish-schema.ts";

type Members = Readonly<Record<string, unknown>>;

/** A member of an object: its name, and its value as JSON. */
export type JsonMember = readonly [name: string, json: string];

/** What one version of a custom kind adds to a published document. */
export interface CustomPart {
  readonly paths: readonly JsonMember[];
  readonly schemas: readonly JsonMember[];
  /** What it refers to: `definitions/<name>`, `parameters/<name>`, `components/schemas/<name>`. */
  readonly references: readonly string[];
}

/** Where paths and schemas of custom kinds get what they share with built-in ones. */
export interface CustomPartOptions {
  readonly format: PublishOptions["format"];
  readonly vendor: string;
  /** Of a document with the pattern of custom kinds. */
  readonly paths: Members;
  readonly schemas: Members;
}

const REFERENCE = /"\$ref":"#\/(definitions|parameters|components\/schemas)\/([^"]+)"/g;

/** Publishes custom kinds, each version on its own: its paths, after the pattern of a built-in kind, and its schemas. */
export class CustomParts {
  readonly #pattern: PathPattern;
  readonly #options: PublishOptions;

  constructor({ format, vendor, paths, schemas }: CustomPartOptions) {
    this.#pattern = pathPattern(paths);
    const meta = (name: string) => nameEnding(schemas, `.meta.v1.${name}`);
    this.#options = { vendor, format, metadata: meta("ObjectMeta"), listMetadata: meta("ListMeta") };
  }

  make(resource: ResourceDescriptor, source: DefinitionSource): CustomPart {
    const { vendor, format, metadata, listMetadata } = this.#options;
    const definition = source.full();
    const version = versionsOf(definition).find(({ name }) => name === resource.version);
    const published = {
      schema: version?.schema?.openAPIV3Schema,
      preservesUnknown: definition.spec.preserveUnknownFields === true,
      selectableFields: version?.selectableFields ?? [],
    };
    const paths = publishPaths(this.#pattern, resource, vendor).map(printed);
    const schemas = Object.entries(publishSchemas(resource, published, this.#options)).map(printed);
    const root = format === "v2" ? "definitions" : "components/schemas";
    const references = new Set([`${root}/${metadata}`, `${root}/${listMetadata}`]);
    for (const [, json] of paths)
      for (const [, where, name] of json.matchAll(REFERENCE)) references.add(`${where}/${name}`);
    return { paths, schemas, references: [...references] };
  }
}

function printed([name, value]: readonly [string, unknown]): JsonMember {
  return [name, stringifyJson(value)];
}

function nameEnding(schemas: Members, end: string): string {
  return Object.keys(schemas).find((name) => name.endsWith(end)) ?? "";
}
