import type { ApiObject } from "../contract/api-object.ts";
import { parseJson } from "../encoding/json/parse-json.ts";
import { stringifyJson } from "../encoding/json/stringify-json.ts";
import type { TypeSchema } from "../schema/type-schema.ts";
import type { ApiRequest } from "./api-request.ts";
import { type PatchKind, parseConfiguration } from "./patch/apply-patch.ts";

/** Tells the audit trail what a request carries, as the server understood it: defaulted, in its namespace. */
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

/** Tells it of a patch, whatever kind it is, as JSON. */
export function notePatch(request: ApiRequest, body: Buffer, kind: PatchKind): void {
  const isApply = kind === "apply-yaml" || kind === "apply-cbor";
  noteOther(request, () => (isApply ? parseConfiguration(body, kind).configuration : parseJson(body).value));
}

/** Tells it of something that is no object of the resource, such as options. `read` throws for what cannot be read. */
export function noteOther({ trail }: ApiRequest, read: () => unknown): void {
  if (trail === undefined) return;
  try {
    trail.carries(undefined, () => stringifyJson(read()));
  } catch {
    // What cannot be read is refused by those who need it; the trail does without.
  }
}
