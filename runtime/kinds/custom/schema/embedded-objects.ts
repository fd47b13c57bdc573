import type { ObjectMeta } from "../../../contract/api-object.ts";
import type { FieldError } from "../../../contract/field-error.ts";
import { DecodeError } from "../../../schema/schema-errors.ts";
import type { TypeSchema } from "../../../schema/type-schema.ts";
import { validateMetadata } from "../../../schema/validate-metadata.ts";
import { invalidField, requiredField } from "../../../values/field-errors.ts";
import { checkDns1035Label, checkPathSegment } from "../../../values/names.ts";
import { shownAs } from "../validation/shown-as.ts";
import { createContainsSchema } from "./contains-schema.ts";
import {
  type CustomSchema,
  type Draft,
  extensionsOf,
  isDraft,
  propertySchema,
  valueSchema,
} from "./structural-schema.ts";

/** For any vendor name. */
const containsEmbedded = createContainsSchema((schema) =>
  Object.keys(schema).some((name) => name.endsWith("-embedded-resource")),
);

/** Visits every embedded resource of a value, outermost first. */
export function visitEmbedded(
  value: unknown,
  schema: CustomSchema | undefined,
  vendor: string,
  visit: (resource: Draft, path: string) => void,
  path = "",
): void {
  if (schema === undefined || !containsEmbedded(schema)) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => visitEmbedded(item, schema.items, vendor, visit, `${path}[${index}]`));
    return;
  }
  if (!isDraft(value)) return;
  if (extensionsOf(schema, vendor).isEmbedded) visit(value, path);
  for (const key of Object.keys(value)) {
    const declared = propertySchema(schema, key);
    const at = declared === undefined ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    visitEmbedded(value[key], declared ?? valueSchema(schema), vendor, visit, at);
  }
}

/** Decodes standard metadata and adds the paths of unknown fields. Throws `DecodeError`. */
export type MetadataReader = (metadata: unknown, unknown: string[], path: string) => ObjectMeta;

export function createMetadataReader(schema: TypeSchema): MetadataReader {
  return (metadata, unknown, path) => {
    const problems: string[] = [];
    const { creationTimestamp, ...rest } = schema.decode(metadata, { problems }) as ObjectMeta;
    unknown.push(...problems.map((problem) => `${path}.${quotedIn(problem)}`));
    return creationTimestamp === null || creationTimestamp === undefined ? rest : { ...rest, creationTimestamp };
  };
}

/** The field in `unknown field "labels.a"`. */
function quotedIn(problem: string): string {
  return problem.slice(problem.indexOf('"') + 1, Math.max(problem.lastIndexOf('"'), 0));
}

/** Decodes type and metadata of an embedded resource, in place. Throws `DecodeError`. */
export function coerceEmbedded(resource: Draft, path: string, read: MetadataReader, unknown: string[]): void {
  for (const key of ["apiVersion", "kind"]) {
    const value = resource[key];
    if (value !== undefined && typeof value !== "string")
      throw refusal(invalidField(`${path}.${key}`, shownAs(value), "must be a string"));
  }
  const unreadable = unreadableMetadata(resource, path, (...given) => (resource.metadata = read(...given)), unknown);
  if (unreadable !== undefined) throw refusal(unreadable);
}

function unreadableMetadata(
  { metadata }: Draft,
  path: string,
  read: MetadataReader,
  unknown: string[] = [],
): FieldError | undefined {
  if (metadata === undefined) return undefined;
  try {
    read(metadata, unknown, `${path}.metadata`);
    return undefined;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return invalidField(`${path}.metadata`, shownAs(metadata), error.message);
  }
}

function refusal({ field, message }: FieldError): DecodeError {
  return new DecodeError(`${field}: ${message}`);
}

/**
 * Errors of an embedded resource: it needs `apiVersion` and `kind`, and valid metadata. In applied configurations, which are
 * not decoded, the metadata may even have the wrong type.
 */
export function validateEmbedded(resource: Draft, path: string, read?: MetadataReader): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of ["apiVersion", "kind"] as const) {
    const at = `${path}.${key}`;
    const value = resource[key];
    if (value === undefined) errors.push(requiredField(at, "must not be empty"));
    else if (typeof value !== "string") errors.push(invalidField(at, shownAs(value), "must be a string"));
    else if (value === "") errors.push(invalidField(at, value, "must not be empty"));
    else if (key === "kind") errors.push(...validateKind(at, value));
    else if (value.split("/").length > 2)
      errors.push(invalidField(at, value, `unexpected GroupVersion string: ${value}`));
  }
  const unreadable = read === undefined ? undefined : unreadableMetadata(resource, path, read);
  if (unreadable !== undefined) return [...errors, unreadable];
  if (isDraft(resource.metadata)) {
    const metadata = resource.metadata as ObjectMeta;
    const named = metadata.name === undefined ? { ...metadata, name: "fakename" } : metadata;
    const found = validateMetadata(named, (metadata.namespace ?? "") !== "", checkPathSegment);
    errors.push(...found.map((error) => ({ ...error, field: `${path}.${error.field}` })));
  }
  return errors;
}

function validateKind(path: string, kind: string): FieldError[] {
  const problems = checkDns1035Label(kind.toLowerCase());
  if (problems.length === 0) return [];
  return [invalidField(path, kind, `may have mixed case, but should otherwise match: ${problems.join(",")}`)];
}
