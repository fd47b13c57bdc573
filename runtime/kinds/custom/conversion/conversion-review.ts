import type { ApiObject } from "../../../contract/api-object.ts";
import { type FieldError, fieldErrorText } from "../../../contract/field-error.ts";
import { stringifyJson } from "../../../encoding/json/stringify-json.ts";
import { goQuote } from "../../../go/quote.ts";
import { validateAnnotations, validateLabels } from "../../../schema/validate-metadata.ts";

export interface ConversionReview {
  readonly kind: "ConversionReview";
  readonly apiVersion: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly ApiObject[];
  };
  readonly response: object;
}

const KNOWN_VERSIONS = new Set(["v1", "v1beta1"]);

/** Creates a review in the first version of `accepted` that this server supports. Throws if it supports none. */
export function createReview(
  accepted: readonly string[],
  group: string,
  request: ConversionReview["request"],
): ConversionReview {
  const version = accepted.find((name) => KNOWN_VERSIONS.has(name));
  if (version === undefined) throw new Error("no supported conversion review versions");
  const response = { uid: "", convertedObjects: null, result: { metadata: {} } };
  return { kind: "ConversionReview", apiVersion: `${group}/${version}`, request, response };
}

/** Returns the converted objects of a response, unchecked. Throws for a malformed response and for a failure that the webhook reports. */
export function readResponse(answer: unknown, sent: ConversionReview): readonly unknown[] {
  const { kind, apiVersion, response } = members(answer);
  const isV1 = sent.apiVersion.endsWith("/v1");
  if (isV1 && (kind !== sent.kind || apiVersion !== sent.apiVersion)) {
    throw new Error(`expected webhook response of ${kindText(sent)}, got ${kindText({ kind, apiVersion })}`);
  }
  if (response === undefined || response === null) throw new Error("no response provided");
  const { uid, result, convertedObjects } = members(response);
  const { status, message } = members(result);
  const given = text(uid);
  if (isV1 && given !== sent.request.uid) {
    throw new Error(`expected response.uid=${goQuote(sent.request.uid)}, got ${goQuote(given)}`);
  }
  if (status !== "Success") {
    throw new Error(text(message) || `response.result.status was '${text(status)}', not 'Success'`);
  }
  return Array.isArray(convertedObjects) ? convertedObjects : [];
}

/** Checks a converted object. Returns it with the metadata of the original, except for labels and annotations. Throws if it is invalid. */
export function checkConverted(original: ApiObject, converted: unknown, apiVersion: string): ApiObject {
  const given = members(converted);
  const version = text(given.apiVersion);
  if (text(given.kind) === "") throw new Error(`Object 'Kind' is missing in '${stringifyJson(converted)}'`);
  if (version !== apiVersion) {
    throw new Error(`invalid groupVersion (expected ${apiVersion}, received ${version})`);
  }
  if (given.kind !== original.kind) {
    throw new Error(`invalid kind (expected ${original.kind ?? ""}, received ${text(given.kind)})`);
  }
  const metadata = members(given.metadata);
  const { name, namespace, uid } = original.metadata ?? {};
  checkSame("name", name, metadata.name);
  checkSame("namespace", namespace, metadata.namespace);
  checkSame("UID", uid, metadata.uid);
  return { ...given, metadata: restoredMetadata(original, given.metadata) } as ApiObject;
}

/** Thrown if the metadata of a converted object are missing or invalid. */
export class InvalidMetadataError extends Error {
  readonly code = "invalid-metadata";
}

function restoredMetadata(original: ApiObject, given: unknown): ApiObject["metadata"] {
  if (given === undefined) throw new InvalidMetadataError("missing metadata in converted object");
  if (!isMap(given)) {
    throw new InvalidMetadataError(`invalid metadata of type ${goType(given)} in converted object`);
  }
  const { labels: formerLabels, annotations: formerAnnotations, ...metadata } = original.metadata ?? {};
  const labels = stringMap("labels", given.labels);
  const annotations = stringMap("annotations", given.annotations);
  if (differs(labels, formerLabels)) refuse(validateLabels(labels, "metadata.labels"));
  if (differs(annotations, formerAnnotations)) {
    refuse(validateAnnotations(annotations, "metadata.annotation"));
  }
  return { ...metadata, ...(labels && { labels }), ...(annotations && { annotations }) };
}

function stringMap(field: string, given: unknown): Record<string, string> | undefined {
  if (given === undefined || given === null) return undefined;
  if (!isMap(given)) {
    throw new InvalidMetadataError(`invalid metadata.${field} of type ${goType(given)} in converted object`);
  }
  for (const [key, value] of Object.entries(given)) {
    if (typeof value !== "string") {
      const problem = `metadata.${field}[${key}] must be a string, but is ${goType(value)} in converted object`;
      throw new InvalidMetadataError(problem);
    }
  }
  return given as Record<string, string>;
}

function differs(
  a: Readonly<Record<string, string>> | undefined,
  b: Readonly<Record<string, string>> | undefined,
): boolean {
  const keys = Object.keys(a ?? {});
  return keys.length !== Object.keys(b ?? {}).length || keys.some((key) => a?.[key] !== b?.[key]);
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  const texts = [...new Set(errors.map(fieldErrorText))];
  throw new InvalidMetadataError(texts.length === 1 ? (texts[0] as string) : `[${texts.join(", ")}]`);
}

function checkSame(what: string, before: string | undefined, after: unknown): void {
  if ((before ?? "") !== text(after)) {
    throw new Error(`must have the same ${what}: ${before ?? ""} != ${text(after)}`);
  }
}

function kindText({ kind, apiVersion }: { readonly kind?: unknown; readonly apiVersion?: unknown }): string {
  const version = text(apiVersion);
  return `${version.includes("/") ? version : `/${version}`}, Kind=${text(kind)}`;
}

function members(value: unknown): Record<string, unknown> {
  return isMap(value) ? value : {};
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The Go type of a decoded JSON value. */
function goType(value: unknown): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "object":
      return "map[string]interface {}";
    case "number":
      return Number.isInteger(value) ? "int64" : "float64";
    default:
      return "int64";
  }
}
