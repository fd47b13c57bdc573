import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { ApiObject } from "../contract/api-object.ts";
import { digestText, notedDigest, notedText, withRawDigest, withRawText } from "../encoding/json/raw-text.ts";
import type { ObjectReader } from "../watch/cached-object.ts";

const RAW_TEXT = "raw:";
const RAW_PACKED = "packed:";
const RAW_DIGEST = "digest:";
/** Characters of a text that surely fit beside an object, whatever else lies there. */
const MOST_KEPT = 15_000;

/** Keeps the text of raw data among the fields that lie beside an object, where its JSON would say it otherwise. */
export function keepRawTexts(
  members: readonly string[],
  selectableFields: (object: ApiObject) => Readonly<Record<string, string>>,
): Pick<ObjectReader, "selectableFields" | "restore"> {
  return {
    selectableFields(object) {
      const fields: Record<string, string> = { ...selectableFields(object as unknown as ApiObject) };
      for (const member of members) {
        Object.assign(fields, keptText(object[member], member));
      }
      return fields;
    },
    restore(object: Record<string, unknown>, fields) {
      for (const member of members) object[member] = withKeptText(object[member], member, fields);
    },
  };
}

/** Long texts are packed, and those that are too long even so are known by a digest, which is enough to compare them. */
function keptText(value: unknown, member: string): Readonly<Record<string, string>> {
  const text = notedText(value);
  const digest = text === undefined ? notedDigest(value) : undefined;
  if (digest !== undefined) return { [`${RAW_DIGEST}${member}`]: digest };
  if (text === undefined) return {};
  if (JSON.stringify(text).length <= MOST_KEPT) return { [`${RAW_TEXT}${member}`]: text };
  const packed = deflateRawSync(text).toString("base64");
  if (packed.length <= MOST_KEPT) return { [`${RAW_PACKED}${member}`]: packed };
  return { [`${RAW_DIGEST}${member}`]: digestText(text) };
}

function withKeptText(value: unknown, member: string, fields: Readonly<Record<string, string>>): unknown {
  const packed = fields[`${RAW_PACKED}${member}`];
  const digest = fields[`${RAW_DIGEST}${member}`];
  if (digest !== undefined) return withRawDigest(value, digest);
  const text = packed === undefined ? fields[`${RAW_TEXT}${member}`] : unpacked(packed);
  return withRawText(value, text);
}

function unpacked(packed: string): string {
  return inflateRawSync(Buffer.from(packed, "base64")).toString("utf8");
}
