import type { AllocateBytes } from "../../lib/byte-arena.ts";

/**
 * How the embedded store keeps an object: its JSON without `metadata.resourceVersion` (nobody knows the revision before
 * the write), and beside it where that member goes and where the labels are. Reading an object back is then one copy
 * with the revision spliced in: no parsing, no stringifying.
 *
 *     "tpj" 1 | flags u8 | fields length u16 | splice offset u32 | labels offset u32 | labels length u32 | fields | JSON
 *
 * Numbers are little-endian, offsets count from the start of the JSON. `fields` is a JSON object with the kind's
 * selectable fields at the time of writing. Values in other formats (plain JSON, `k8s\0` protobuf) start differently.
 */
const HEADER_BYTES = 19;
const MAX_FIELDS_BYTES = 0xffff;
const MAGIC = 0x016a7074; // "tpj" and the format's version, read as a little-endian u32
const FLAG_FIRST = 1; // resourceVersion is the first member of metadata: no comma before it

/** The members of metadata that Kubernetes prints before resourceVersion. */
const BEFORE_RESOURCE_VERSION = new Set(["name", "generateName", "namespace", "selfLink", "uid"]);

type JsonObject = Readonly<Record<string, unknown>>;
type Stringify = (value: unknown) => string;

export interface StoredJson {
  /** The object's JSON with `metadata.resourceVersion` set to the revision. */
  readonly json: Buffer;
  /** Where the JSON object of `metadata.labels` is inside `json`; undefined when there is none. */
  readonly labels: ByteSpan | undefined;
  /** The selectable fields recorded when the object was written. */
  readonly fields: Readonly<Record<string, string>> | undefined;
}

export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

export interface EncodeStoredJsonOptions {
  /** The kind's selectable fields and their values in this object. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Writes one value as JSON; for objects that hold more than `JSON.stringify` knows. */
  readonly stringify?: Stringify;
}

/** Encodes an object for the embedded store. A resourceVersion it may carry is left out. */
export function encodeStoredJson(object: JsonObject, options: EncodeStoredJsonOptions = {}): Buffer {
  const text = layOut(object, options.stringify ?? JSON.stringify);
  const fields = recordedFields(options.fields);
  const fieldsLength = Buffer.byteLength(fields);
  const start = HEADER_BYTES + fieldsLength;
  const bytes = Buffer.allocUnsafeSlow(start + Buffer.byteLength(text.json));
  const offsetOf = (position: number): number => Buffer.byteLength(text.json.slice(0, position));
  bytes.writeUInt32LE(MAGIC, 0);
  bytes.writeUInt8(text.first ? FLAG_FIRST : 0, 4);
  bytes.writeUInt16LE(fieldsLength, 5);
  bytes.writeUInt32LE(offsetOf(text.splice), 7);
  bytes.writeUInt32LE(offsetOf(text.labels), 11);
  bytes.writeUInt32LE(Buffer.byteLength(text.json.slice(text.labels, text.labelsEnd)), 15);
  bytes.write(fields, HEADER_BYTES);
  bytes.write(text.json, start);
  return bytes;
}

export function isStoredJson(value: Uint8Array): boolean {
  return value.length >= HEADER_BYTES && asBuffer(value).readUInt32LE(0) === MAGIC;
}

/** The JSON inside such a value, no resourceVersion in it; undefined for values in other formats. */
export function storedJsonText(value: Uint8Array): Uint8Array | undefined {
  return isStoredJson(value) ? value.subarray(HEADER_BYTES + asBuffer(value).readUInt16LE(5)) : undefined;
}

/** Reads a value written by `encodeStoredJson`. Throws a RangeError when its offsets contradict its length. */
export function decodeStoredJson(
  value: Uint8Array,
  modRevision: number,
  allocate: AllocateBytes = Buffer.allocUnsafeSlow,
): StoredJson {
  const bytes = asBuffer(value);
  const first = (bytes.readUInt8(4) & FLAG_FIRST) !== 0;
  const start = HEADER_BYTES + bytes.readUInt16LE(5);
  const splice = bytes.readUInt32LE(7);
  const labels = bytes.readUInt32LE(11);
  const labelsLength = bytes.readUInt32LE(15);
  const length = bytes.length - start;
  if (splice > length || labels + labelsLength > length) {
    throw new RangeError("the recorded offsets lie outside the value");
  }
  const member = `${first ? "" : ","}"resourceVersion":"${modRevision}"`;
  const json = allocate(length + member.length);
  bytes.copy(json, 0, start, start + splice);
  json.write(member, splice, "latin1");
  bytes.copy(json, splice + member.length, start + splice);
  const labelsStart = labels >= splice ? labels + member.length : labels;
  return {
    json,
    labels: labelsLength === 0 ? undefined : { start: labelsStart, end: labelsStart + labelsLength },
    fields: start === HEADER_BYTES ? undefined : parseFields(bytes.toString("utf8", HEADER_BYTES, start)),
  };
}

/** Positions are in characters of `json`, which lacks resourceVersion; members after the splice bring their comma. */
interface Layout {
  readonly json: string;
  readonly first: boolean;
  readonly splice: number;
  readonly labels: number;
  readonly labelsEnd: number;
}

function layOut(object: JsonObject, stringify: Stringify): Layout {
  const metadata = (object.metadata ?? {}) as JsonObject;
  const entries = Object.entries(metadata).filter(([name, value]) => name !== "resourceVersion" && value !== undefined);
  const spliceIndex = entries.findLastIndex(([name]) => BEFORE_RESOURCE_VERSION.has(name)) + 1;
  const members = Object.entries(object).filter(([name, value]) => name !== "metadata" && value !== undefined);
  const metadataIndex = Math.max(0, Object.keys(object).indexOf("metadata"));
  const memberText = ([name, value]: [string, unknown]): string => `${JSON.stringify(name)}:${stringify(value)}`;
  let json = `{${members
    .slice(0, metadataIndex)
    .map((member) => `${memberText(member)},`)
    .join("")}`;
  json += '"metadata":{';
  let splice = json.length;
  let labels = 0;
  let labelsEnd = 0;
  for (const [index, [name, value]] of entries.entries()) {
    json += `${index === 0 && spliceIndex > 0 ? "" : ","}${JSON.stringify(name)}:`;
    const valueStart = json.length;
    json += stringify(value);
    if (name === "labels" && value !== null) [labels, labelsEnd] = [valueStart, json.length];
    if (index + 1 === spliceIndex) splice = json.length;
  }
  json += "}";
  json += members
    .slice(metadataIndex)
    .map((member) => `,${memberText(member)}`)
    .join("");
  return { json: `${json}}`, first: spliceIndex === 0, splice, labels, labelsEnd };
}

/** Fields too long for their header are left out: readers then look into the object. */
function recordedFields(fields: Readonly<Record<string, string>> | undefined): string {
  const text = fields === undefined ? "" : JSON.stringify(fields);
  return Buffer.byteLength(text) > MAX_FIELDS_BYTES ? "" : text;
}

function parseFields(text: string): Record<string, string> {
  return JSON.parse(text) as Record<string, string>;
}

function asBuffer(value: Uint8Array): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}
