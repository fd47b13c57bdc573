import type { ResourceDescriptor } from "../../../contract/resource-descriptor.ts";
import { stringifyJson } from "../../../encoding/json/stringify-json.ts";
import { versionsOf } from "../definition/custom-definition.ts";
import type { DefinitionSource } from "../definition/definition-source.ts";
import type { JsonMember } from "./json-member.ts";
import { PathPublisher, type PublishedPaths } from "./publish-paths.ts";
import { type PublishOptions, publishSchemas } from "./publish-schema.ts";

type Members = Readonly<Record<string, unknown>>;

/** Paths and schemas that one version of a custom kind adds to a published document. */
export interface CustomPart extends PublishedPaths {
  readonly schemas: readonly JsonMember[];
}

/** Format of the document, and the built-in paths and schemas that custom kinds reuse. */
export interface CustomPartOptions {
  readonly format: PublishOptions["format"];
  readonly vendor: string;
  /** `paths` and `schemas` of the document that contains the pattern kind. */
  readonly paths: Members;
  readonly schemas: Members;
}

/** Publishes each version of a custom kind separately: its paths, modeled after those of a built-in kind, and its schemas. */
export class CustomParts {
  readonly #paths: PathPublisher;
  readonly #options: PublishOptions;

  constructor({ format, vendor, paths, schemas }: CustomPartOptions) {
    this.#paths = new PathPublisher(paths, vendor);
    const meta = (name: string) => nameEnding(schemas, `.meta.v1.${name}`);
    this.#options = { vendor, format, metadata: meta("ObjectMeta"), listMetadata: meta("ListMeta") };
  }

  make(resource: ResourceDescriptor, source: DefinitionSource): CustomPart {
    const { format, metadata, listMetadata } = this.#options;
    const definition = source.full();
    const version = versionsOf(definition).find(({ name }) => name === resource.version);
    const published = {
      schema: version?.schema?.openAPIV3Schema,
      preservesUnknown: definition.spec.preserveUnknownFields === true,
      selectableFields: version?.selectableFields ?? [],
    };
    const { paths, references } = this.#paths.publish(resource);
    const schemas = Object.entries(publishSchemas(resource, published, this.#options)).map(printed);
    const root = format === "v2" ? "definitions" : "components/schemas";
    return {
      paths,
      schemas,
      references: [...new Set([`${root}/${metadata}`, `${root}/${listMetadata}`, ...references])],
    };
  }
}

function printed([name, value]: readonly [string, unknown]): JsonMember {
  return [name, stringifyJson(value)];
}

function nameEnding(schemas: Members, end: string): string {
  return Object.keys(schemas).find((name) => name.endsWith(end)) ?? "";
}
