import type { ResourceDescriptor } from "../../contract/resource-descriptor.ts";
import { type CustomSchema, extensionsOf, valueSchema } from "../schema/structural-schema.ts";

export interface PublishOptions {
  readonly vendor: string;
  /** Older clients read version 2 and trip over what it cannot say. */
  readonly format: "v2" | "v3";
  /** Refers to the schema of metadata. */
  readonly metadata: string;
  readonly listMetadata: string;
}

/** `com.example.stable.v1.CronTab`: what the schema of a custom kind is called. */
export function schemaName({ group, version }: Pick<ResourceDescriptor, "group" | "version">, kind: string): string {
  return `${group.split(".").reverse().join(".")}.${version}.${kind}`;
}

/** The schema of a kind and of its lists, by name. */
export function publishSchemas(
  resource: ResourceDescriptor,
  schema: CustomSchema | undefined,
  { vendor, format, metadata, listMetadata }: PublishOptions,
): Record<string, unknown> {
  const { group, version, kind, listKind } = resource;
  const gvk = (name: string) => ({ [`x-${vendor}-group-version-kind`]: [{ group, kind: name, version }] });
  const published =
    schema === undefined || extensionsOf(schema, vendor).preservesUnknown ? OPEN : adapt(schema, vendor, format);
  const name = schemaName(resource, kind);
  const root = format === "v2" ? "#/definitions/" : "#/components/schemas/";
  const meta = { description: "Name, labels and other facts every object has.", $ref: metadata };
  return {
    [name]: {
      type: "object",
      ...(published === OPEN && { [`x-${vendor}-preserve-unknown-fields`]: true }),
      ...published,
      properties: { ...published.properties, ...TYPE_META, metadata: meta },
      ...gvk(kind),
    },
    [schemaName(resource, listKind)]: {
      description: `A list of ${kind} objects.`,
      type: "object",
      required: ["items"],
      properties: {
        ...TYPE_META,
        metadata: { description: "Where the list stands in time, and how to read on.", $ref: listMetadata },
        items: { description: "The objects.", type: "array", items: { $ref: root + name } },
      },
      ...gvk(listKind),
    },
  };
}

const OPEN: CustomSchema = {};

const TYPE_META = {
  apiVersion: { type: "string", description: "Group and version, such as `apps/v1`." },
  kind: { type: "string", description: "The kind, such as `Pod`." },
};

/** Version 3 says everything; version 2 knows neither alternatives nor null, and promises no more than it can say. */
function adapt(schema: CustomSchema, vendor: string, format: "v2" | "v3"): CustomSchema {
  if (format === "v3") return schema;
  const { allOf: _all, anyOf: _any, oneOf: _one, not: _not, nullable, ...rest } = schema;
  const { items, properties, type, required, ...kept } = rest;
  const { preservesUnknown } = extensionsOf(schema, vendor);
  const isVague = nullable === true || preservesUnknown || (type === "array" && items === undefined);
  if (isVague) return kept;
  const sure = required?.filter((name) => properties?.[name]?.nullable !== true) ?? [];
  const values = valueSchema(schema);
  return {
    ...kept,
    ...(type !== undefined && { type }),
    ...(sure.length > 0 && { required: sure }),
    ...(items !== undefined && { items: adapt(items, vendor, format) }),
    ...(values !== undefined && { additionalProperties: adapt(values, vendor, format) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, adapt(property, vendor, format)]),
      ),
    }),
  };
}
