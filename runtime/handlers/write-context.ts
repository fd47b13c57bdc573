import type { ApiObject } from "../contract/api-object.ts";
import { goQuote } from "../go/quote.ts";
import type { KnownKinds } from "../kinds/known-kinds.ts";
import type { ServedResource } from "../kinds/served-resource.ts";
import { LARGE_BYTES } from "../lib/in-turns.ts";
import {
  type DecodedObject,
  decodeLargeObject,
  decodeObject,
  type ExpectedType,
  reportProblems,
} from "../resource/decode-object.ts";
import type { BodyFormat } from "../resource/parse-body.ts";
import type { LiveParts } from "../resource/parse-like.ts";
import type { WriteEnvironment, WriteRequest } from "../resource/write-request.ts";
import { managerFromRequest } from "../values/manager-name.ts";
import { checkPathSegment } from "../values/names.ts";
import { badRequest } from "../values/status-errors.ts";
import type { ApiRequest } from "./api-request.ts";
import type { FieldValidation, WriteQuery } from "./query-options.ts";

/** Dependencies of handlers that write. */
export interface WriteContext extends WriteEnvironment {
  readonly kinds: KnownKinds;
}

export function writeRequest(
  request: ApiRequest,
  query: Pick<WriteQuery, "dryRun" | "fieldManager" | "options">,
  verb: string = request.info.verb,
): WriteRequest {
  return {
    resource: request.resource,
    subresource: request.subresource?.name ?? "",
    namespace: request.info.namespace,
    verb,
    user: request.user,
    dryRun: query.dryRun,
    fieldManager: managerFromRequest(query.fieldManager, request.userAgent),
    options: query.options,
    warn: request.warn,
    annotate: request.annotate,
    waited: request.waited,
    isOver: request.isOver,
    isLarge: request.bodySize() >= LARGE_BYTES,
  };
}

export function expectedType(
  resource: ServedResource,
  context: Pick<WriteContext, "kinds" | "findVersion">,
): ExpectedType {
  const { group, version, kind, type, custom, scheme } = resource.descriptor;
  return {
    group,
    version,
    kind,
    schema: resource.schema,
    schemaIn: (apiVersion) => context.findVersion(resource, apiVersion)?.schema,
    goPackage: type.split("/")[0] ?? "",
    kinds: context.kinds,
    scheme,
    custom: custom !== undefined,
    unconvertible: resource.hooks.compatibility?.unconvertible,
  };
}

/**
 * Decodes the body of a request for the resource itself, and reports unknown fields according to `fieldValidation`. If `peek` returns the
 * live object, parts of JSON that are equal to it are not parsed.
 */
export async function readObject(
  request: ApiRequest,
  fieldValidation: FieldValidation,
  context: WriteContext,
  peek?: () => LiveParts | undefined,
): Promise<ApiObject> {
  const expected = expectedType(request.resource, context);
  const format = request.bodyFormat();
  const decoded = await decodeBody(await request.body(), format, expected, format === "json" ? peek : undefined);
  reportProblems(decoded, fieldValidation, request.warn, expected.kind);
  return decoded.object;
}

/** Decodes a body as an object of a type. A large one takes several turns of the event loop. */
export function decodeBody(
  body: Buffer,
  format: BodyFormat,
  expected: ExpectedType,
  peek?: () => LiveParts | undefined,
): DecodedObject | Promise<DecodedObject> {
  return body.length < LARGE_BYTES
    ? decodeObject(body, format, expected, peek?.())
    : decodeLargeObject(body, format, expected);
}

/** Throws 400 unless the object has the name and namespace of the path. */
export function checkIdentity(object: ApiObject, { namespace, name }: { namespace: string; name: string }): void {
  checkNamespaceInBody(object, namespace);
  checkNameInBody(object, name);
}

/** Throws 400 unless the name in the path is valid for an object. */
export function checkNameInPath(name: string): void {
  const [problem] = checkPathSegment(name);
  if (problem !== undefined) {
    throw badRequest(`Name parameter invalid: ${goQuote(name)}: ${problem}`);
  }
}

/** Throws 400 unless the name in the body is that in the path. */
export function checkNameInBody(object: ApiObject, name: string): void {
  const actual = object.metadata.name ?? "";
  if (actual === "") {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (actual !== name) {
    throw badRequest(`the name of the object (${actual}) does not match the name on the URL (${name})`);
  }
}

/** Throws 400 if the namespace in the body is set and is not that in the path. */
export function checkNamespaceInBody(object: ApiObject, namespace: string): void {
  const actual = object.metadata.namespace ?? "";
  if (actual !== "" && namespace !== "" && actual !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
}
