import type { ApiObject } from "../contract/api-object.ts";
import { memberBytes } from "../encoding/json/parse-stored-object.ts";
import type { LiveObject } from "../kinds/object-store.ts";
import type { StoredKind } from "../kinds/served-resource.ts";
import { isJsonObject, setOwn } from "../lib/json-object.ts";
import { printsAlike } from "../lib/prints-alike.ts";
import type { PrintedMembers } from "../store/value/stored-json.ts";

/** For objects of at least this size, reusing the JSON of unchanged members is worthwhile. */
const KEPT_BYTES = 1024;

/** Returns the value to store for a changed object. Members that are equal to those of the live object are neither decoded nor printed again. */
export function encodeChanged(
  { schema, objects }: StoredKind,
  key: string,
  written: ApiObject,
  live: LiveObject,
): Uint8Array {
  const kept = live.json.length < KEPT_BYTES ? undefined : keptMembers(written, live.object);
  if (kept === undefined) return objects.encode(key, schema.canonicalize(written, { reuses: true }));
  const ready = new Set<object>(Object.values(kept));
  const final = schema.canonicalize({ ...written, ...kept }, { reuses: true, ready });
  return objects.encode(key, final, printedMembers(final, live));
}

/** Members other than metadata that are equal to those of the live object; undefined if there are none. */
function keptMembers(written: ApiObject, live: ApiObject): Readonly<Record<string, object>> | undefined {
  let kept: Record<string, object> | undefined;
  for (const name of Object.keys(live)) {
    const member = live[name];
    if (name === "metadata" || !isJsonObject(member) || !printsAlike(written[name], member)) continue;
    kept ??= {};
    setOwn(kept, name, member);
  }
  return kept;
}

/** Consecutive members after metadata that an object shares with the live one: from the first one on, or otherwise up to the last one. */
function printedMembers(final: ApiObject, live: LiveObject): PrintedMembers | undefined {
  const names = namesAfterMetadata(live.object);
  const others = namesAfterMetadata(final);
  const isSame = (index: number, other: number): boolean => {
    const name = names[index];
    return name !== undefined && name === others[other] && final[name] === live.object[name];
  };
  let first = 0;
  let end = 0;
  while (isSame(end, end)) end++;
  if (end === 0) {
    first = end = names.length;
    const shift = others.length - names.length;
    while (isSame(first - 1, first - 1 + shift)) first--;
  }
  const json = first === end ? undefined : memberBytes(live.json, names, first, end);
  return json && { names: names.slice(first, end), json };
}

function namesAfterMetadata(object: ApiObject): readonly string[] {
  const names = Object.keys(object);
  return names.slice(names.indexOf("metadata") + 1).filter((name) => object[name] !== undefined);
}
