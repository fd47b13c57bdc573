import type { ApiObject } from "../contract/api-object.ts";
import { parseJson } from "../encoding/json/parse-json.ts";
import { stringifyJson } from "../encoding/json/stringify-json.ts";
import type { TypeSchema } from "../schema/type-schema.ts";
import type { ApiRequest } from "./api-request.ts";
import { type PatchKind, parseConfiguration } from "./patch/apply-patch.ts";

/** Adds the request object to the audit event as the server decoded and defaulted it, with its namespace. */
export function noteObject(request: ApiRequest, object: ApiObject, schema: TypeSchema<ApiObject>): void {
  const { trail, info } = request;
  if (trail === undefined) return;
  trail.carries(object.metadata, () => {
    const shown = schema.canonicalize(object);
    const settled =
      info.namespace !== "" && shown.metadata.namespace === undefined
        ? schema.canonicalize({ ...shown, metadata: { ...shown.metadata, namespace: info.namespace } })
        : shown;
    return stringifyJson(settled);
  });
}

/** Adds a patch of any type to the audit event, as JSON. */
export function notePatch(request: ApiRequest, body: Buffer, kind: PatchKind): void {
  const isApply = kind === "apply-yaml" || kind === "apply-cbor";
  noteOther(request, () => (isApply ? parseConfiguration(body, kind).configuration : parseJson(body).value));
}

/** Adds a request body that is no object of the resource, such as options, to the audit event. `read` throws if it is invalid. */
export function noteOther({ trail }: ApiRequest, read: () => unknown): void {
  if (trail === undefined) return;
  try {
    trail.carries(undefined, () => stringifyJson(read()));
  } catch {
    // The handler rejects an invalid body; the audit event has none.
  }
}
