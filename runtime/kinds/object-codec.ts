import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { ApiObject } from "../contract/api-object.ts";
import { parseStoredObject } from "../encoding/json/parse-stored-object.ts";
import { digestText, notedDigest, notedText, withRawDigest, withRawText } from "../encoding/json/raw-text.ts";
import { stringifyJson } from "../encoding/json/stringify-json.ts";
import { decodeEnvelope, encodeEnvelope, isEnvelope } from "../encoding/protobuf/envelope.ts";
import type { ValueTransformer } from "../store/encryption/value-transformer.ts";
import { storedJsonText } from "../store/value/stored-json.ts";
import type { ObjectReader, PlainObject } from "../watch/cached-object.ts";
import type { MemoBudget } from "../watch/memo-budget.ts";
import { StoredObjectCodec } from "../watch/stored-object-codec.ts";
import { withMeta } from "./change-meta.ts";
import type { StoredVersions } from "./stored-versions.ts";

export interface CodecParts {
  readonly versions: StoredVersions;
  readonly selectableFields: (object: ApiObject) => Readonly<Record<string, string>>;
  /** Members that hold raw data whose text is kept. */
  readonly rawTexts: readonly string[] | undefined;
  readonly budget: MemoBudget;
  /** Absent where values are stored as they are. */
  readonly transformer: ValueTransformer | undefined;
}

/**
 * Reads the stored values of one kind, in whatever version they are and those that Kubernetes itself wrote as protobuf
 * included. What comes out is in the hub version.
 */
export function createObjectCodec(parts: CodecParts): StoredObjectCodec {
  const { versions, selectableFields, budget, transformer, rawTexts } = parts;
  const begins = openingOf(versions.hub, versions.find(versions.hub)?.kind ?? "");
  return new StoredObjectCodec({
    reader: {
      parse: (json) => parseObject(json) as unknown as PlainObject,
      stringify: (value) => stringifyJson(value),
      selectableFields: (object) => selectableFields(object as unknown as ApiObject),
      budget,
      ...(rawTexts && keepingTexts(rawTexts, selectableFields)),
    },
    ...(transformer !== undefined && { open: (key, value) => transformer.open(key, value).value }),
    upgrade: {
      isCurrent: (json) => startsWith(json, begins),
      convert: (object) => toHub(versions, object as unknown as ApiObject) as unknown as PlainObject,
    },
    decodeForeign(value) {
      const { apiVersion, raw } = decodeEnvelope(value);
      const version = versions.find(apiVersion);
      if (version === undefined) throw new Error(`unknown API version ${apiVersion}`);
      const { kind: _kind, apiVersion: _apiVersion, ...rest } = version.schema.decodeProtobuf(raw);
      return { kind: version.kind, apiVersion: version.apiVersion, ...rest };
    },
  });
}

const RAW_TEXT = "raw:";
const RAW_PACKED = "packed:";
const RAW_DIGEST = "digest:";
/** Characters of a text that surely fit beside an object, whatever else lies there. */
const MOST_KEPT = 15_000;

/** Keeps the text of raw data among the fields that lie beside an object, where its JSON would say it otherwise. */
function keepingTexts(
  members: readonly string[],
  selectableFields: CodecParts["selectableFields"],
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

/** Writes objects of one kind in the version that is stored at this release. */
export interface ObjectEncoder {
  encode(object: ApiObject): Uint8Array;
  /** Whether a stored value is in the version that `encode` writes. */
  isCurrent(value: Uint8Array): boolean;
}

export function createObjectEncoder(
  codec: StoredObjectCodec,
  { written }: StoredVersions,
  format: "json" | "protobuf",
): ObjectEncoder {
  const begins = openingOf(written.apiVersion, written.kind);
  return {
    encode(object) {
      const stored = written.fromHub(object);
      if (format === "json") return codec.encode(stored as unknown as PlainObject);
      const { apiVersion, kind, schema } = written;
      return encodeEnvelope({ apiVersion, kind, raw: schema.encodeProtobuf(unversioned(stored)) });
    },
    isCurrent(value) {
      if (isEnvelope(value)) return decodeEnvelope(value).apiVersion === written.apiVersion;
      return startsWith(storedJsonText(value) ?? value, begins);
    },
  };
}

/** An object as it is kept where its revision is its version. */
function unversioned(object: ApiObject): ApiObject {
  return withMeta(object, { resourceVersion: undefined });
}

function toHub(versions: StoredVersions, object: ApiObject): ApiObject {
  const apiVersion = object.apiVersion ?? "";
  if (apiVersion === versions.hub) return object;
  const version = versions.find(apiVersion);
  if (version === undefined) throw new Error(`unknown API version ${apiVersion}`);
  return version.toHub(object);
}

/** Canonical JSON of a version begins alike: enough to tell the version without parsing. */
function openingOf(apiVersion: string, kind: string): Buffer {
  return Buffer.from(`{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`);
}

function startsWith(bytes: Uint8Array, beginning: Buffer): boolean {
  return bytes.length >= beginning.length && beginning.equals(bytes.subarray(0, beginning.length));
}

export function parseObject(json: Buffer): ApiObject {
  return parseStoredObject(json) as ApiObject;
}
