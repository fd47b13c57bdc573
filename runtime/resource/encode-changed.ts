import type { ApiObject } from "../contract/api-object.ts";
import { memberBytes } from "../encoding/json/parse-stored-object.ts";
import { stringifyJson } from "../encoding/json/stringify-json.ts";
import type { LiveObject } from "../kinds/object-store.ts";
import type { StoredKind } from "../kinds/served-resource.ts";
import { isJsonObject } from "../lib/json-object.ts";

/** From this size on it is worth to look for the JSON of a spec that stays as it is. */
const KEPT_BYTES = 8 * 1024;

/** The value to store for a changed object. A spec that is the live object's own is neither decoded again nor printed. */
export function encodeChanged(
  { schema, objects }: StoredKind,
  key: string,
  written: ApiObject,
  live: LiveObject,
): Uint8Array {
  const { spec, status } = live.object;
  if (live.json.length >= KEPT_BYTES && isJsonObject(spec) && spec === written.spec) {
    const json = memberBytes(live.json, "spec", stringifyJson(status === undefined ? {} : { status }));
    const final = json === undefined ? undefined : schema.canonicalize({ ...written, spec: {} }, { reuses: true });
    if (json !== undefined && final?.spec !== undefined)
      return objects.encode(key, { ...final, spec }, { name: "spec", json });
  }
  return objects.encode(key, schema.canonicalize(written, { reuses: true }));
}
