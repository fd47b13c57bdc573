import { randomUUID } from "node:crypto";
import { isJsonObject, type JsonObject } from "../../lib/json-object.ts";
import { stringifyJson } from "./stringify-json.ts";

/** Placeholder for fields that are already printed. Random, so that no client can send it. */
const MARK = randomUUID();
const QUOTED_MARK = JSON.stringify(MARK);

/** JSON of field sets, which are never changed. Most objects of a kind share them. */
const textOfFields = new WeakMap<object, string>();

/**
 * Like `stringifyJson`, for an object or a part of it that includes metadata. `fieldsV1` of managedFields is half of the JSON and takes more than
 * half of the time: it is printed once for all objects that share it, and must not be changed.
 */
export function stringifyStoredObject(value: unknown): string {
  const metadata = isJsonObject(value) ? value.metadata : undefined;
  const entries = isJsonObject(metadata) ? metadata.managedFields : undefined;
  if (!Array.isArray(entries)) return stringifyJson(value);
  const texts: string[] = [];
  const managedFields = entries.map((entry: unknown) => {
    if (!isJsonObject(entry) || !isJsonObject(entry.fieldsV1)) return entry;
    texts.push(printFields(entry.fieldsV1));
    return { ...entry, fieldsV1: MARK };
  });
  const marked = { ...(value as JsonObject), metadata: { ...(metadata as JsonObject), managedFields } };
  const [first, ...others] = stringifyJson(marked).split(QUOTED_MARK);
  return others.reduce((text, piece, index) => `${text}${texts[index]}${piece}`, first as string);
}

function printFields(fields: JsonObject): string {
  let text = textOfFields.get(fields);
  if (text === undefined) textOfFields.set(fields, (text = stringifyJson(fields)));
  return text;
}
