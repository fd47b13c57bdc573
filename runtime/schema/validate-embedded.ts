import type { ObjectMeta } from "../contract/api-object.ts";
import type { FieldError } from "../contract/field-error.ts";
import { isJsonObject } from "../lib/json-object.ts";
import { invalidField, requiredField } from "../values/field-errors.ts";
import { checkDns1035Label, checkPathSegment } from "../values/names.ts";
import { DecodeError } from "./schema-errors.ts";
import { shownAs } from "./shown-as.ts";
import type { TypeSchema } from "./type-schema.ts";
import { validateMetadata } from "./validate-metadata.ts";

/** An object that is embedded in another one and is being decoded. */
export type EmbeddedResource = { [field: string]: unknown };

/** Decodes standard metadata and appends the paths of unknown fields to `unknown`. Throws `DecodeError`. */
export type MetadataReader = (metadata: unknown, unknown: string[], path: string) => ObjectMeta;

export function createMetadataReader(schema: TypeSchema): MetadataReader {
  return (metadata, unknown, path) => {
    const problems: string[] = [];
    const { creationTimestamp, ...rest } = schema.decode(metadata, { problems }) as ObjectMeta;
    for (const problem of problems) unknown.push(`${path}.${quotedIn(problem)}`);
    return creationTimestamp === null || creationTimestamp === undefined ? rest : { ...rest, creationTimestamp };
  };
}

/** Returns the quoted field of a message such as `unknown field "labels.a"`. */
function quotedIn(problem: string): string {
  return problem.slice(problem.indexOf('"') + 1, Math.max(problem.lastIndexOf('"'), 0));
}

/** Returns the error of metadata that cannot be decoded. */
export function unreadableMetadata(
  { metadata }: EmbeddedResource,
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

/** Creates the check of values that are complete objects. Paths are relative to the value. `metadata` is the type of their metadata. */
export function embeddedCheck(metadata: TypeSchema): (value: unknown) => FieldError[] {
  const read = createMetadataReader(metadata);
  return (value) => {
    if (!isJsonObject(value)) return [invalidField("", shownAs(value), "must be an object")];
    const errors = validateEmbedded(value as EmbeddedResource, "", read);
    return errors.map((error) => ({ ...error, field: error.field.replace(/^\./, "") }));
  };
}

/**
 * Validates an embedded resource, which requires `apiVersion`, `kind` and valid metadata. In applied configurations, which are not decoded,
 * the metadata may even have the wrong type.
 */
export function validateEmbedded(resource: EmbeddedResource, path: string, read?: MetadataReader): FieldError[] {
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
  if (isJsonObject(resource.metadata)) {
    const metadata = resource.metadata as ObjectMeta;
    const named = metadata.name === undefined ? { ...metadata, name: "fakename" } : metadata;
    const found = validateMetadata(named, (metadata.namespace ?? "") !== "", checkPathSegment);
    for (const error of found) errors.push({ ...error, field: `${path}.${error.field}` });
  }
  return errors;
}

function validateKind(path: string, kind: string): FieldError[] {
  const problems = checkDns1035Label(kind.toLowerCase());
  if (problems.length === 0) return [];
  return [invalidField(path, kind, `may have mixed case, but should otherwise match: ${problems.join(",")}`)];
}
