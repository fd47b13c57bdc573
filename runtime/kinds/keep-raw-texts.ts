import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { ApiObject } from "../contract/api-object.ts";
import { digestText, notedDigest, notedText, withRawDigest, withRawText } from "../encoding/json/raw-text.ts";
import type { ObjectReader } from "../watch/cached-object.ts";

const RAW_TEXT = "raw:";
const RAW_PACKED = "packed:";
const RAW_DIGEST = "digest:";
/** Maximum length of one string that is stored beside an object, regardless of other strings there. Longer ones are compressed or digested. */
const MOST_KEPT = 15_000;

/** Stores the original text of raw data in the fields beside an object, if that text differs from the canonical JSON. */
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

/** Compresses a text that is too long. If it is still too long, keeps only its digest, which is sufficient to compare texts. */
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
