import type { ApiObject } from "../contract/api-object.ts";
import { parseJson } from "../encoding/json/parse-json.ts";
import { stringifyJson } from "../encoding/json/stringify-json.ts";
import { notesOf } from "../go/source-notes.ts";
import type { TypeSchema } from "../schema/type-schema.ts";
import type { ApiRequest } from "./api-request.ts";
import { type PatchKind, parseConfiguration } from "./patch/apply-patch.ts";

/** Adds the decoded and defaulted request object to the audit event. `apiVersion` is the version that the client sent. */
export function noteObject(
  { trail, resource, subresource }: ApiRequest,
  object: ApiObject,
  schema: TypeSchema<ApiObject>,
  apiVersion?: string,
): void {
  trail?.carries(object.metadata, () => {
    const shown = schema.canonicalize(object, { given: true });
    restoreEmpty(shown);
    const isCustom = subresource?.name !== "scale" && resource.descriptor.custom !== undefined;
    // The Go struct for metadata always has this field.
    const metadata = isCustom ? { creationTimestamp: null, ...shown.metadata } : shown.metadata;
    return stringifyJson({ ...shown, ...(apiVersion && { apiVersion }), metadata });
  });
}

/** Restores lists and maps that the client sent empty and that would be null in the event. Changes the object. */
function restoreEmpty(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const members = value as Record<string, unknown>;
  for (const [key, empty] of notesOf(value)?.empties ?? []) if (members[key] === null) members[key] = empty;
  for (const member of Object.values(members)) restoreEmpty(member);
}

/** Adds a patch of any type to the audit event, as JSON. */
export function notePatch(request: ApiRequest, body: Buffer, kind: PatchKind): void {
  const isApply = kind === "apply-yaml" || kind === "apply-cbor";
  noteOther(request, () => (isApply ? parseConfiguration(body, kind).configuration : parseJson(body).value));
}

/** Adds a request body that is not an object of the resource, such as options, to the audit event. `read` throws if the body is invalid. */
export function noteOther({ trail }: ApiRequest, read: () => unknown): void {
  if (trail === undefined) return;
  try {
    trail.carries(undefined, () => stringifyJson(read()));
  } catch {
    // The handler rejects an invalid body. The audit event then has no request object.
  }
}
