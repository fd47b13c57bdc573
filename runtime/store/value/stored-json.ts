import type { AllocateBytes } from "../../lib/byte-arena.ts";
import type { Steps } from "../../lib/in-turns.ts";
import { isSortedObject, setOwn } from "../../lib/json-object.ts";

/**
 * The stored form of an object in the embedded store: its JSON without `metadata.resourceVersion` (the revision is not known
 * before the write), the offset at which that member is inserted, and the offset of the labels. Reading an object is then one copy with
 * the revision inserted, without parsing or stringifying.
 *
 *     "tpj" 1 | flags u8 | fields length u16 | splice offset u32 | labels offset u32 | labels length u32 | fields | JSON
 *
 * Numbers are little-endian, offsets count from the start of the JSON. `fields` is a JSON object with the kind's
 * selectable fields at the time of writing; its first member may be a mark that the writer chose, named "". `hasMark` checks it without
 * parsing anything. Values in other formats (plain JSON, `k8s\0` protobuf) start differently.
 */
const HEADER_BYTES = 19;
const MAX_FIELDS_BYTES = 0xffff;
const MAGIC = 0x016a7074; // "tpj" and the format's version, read as a little-endian u32
const FLAG_FIRST = 1; // resourceVersion is the first member of metadata: no comma precedes it

/** The members of metadata that Kubernetes prints before resourceVersion. Custom objects differ: all their members are sorted. */
const BEFORE_RESOURCE_VERSION = new Set(["name", "generateName", "namespace", "selfLink", "uid"]);

const NO_BYTES: Buffer = Buffer.alloc(0);

type JsonObject = Readonly<Record<string, unknown>>;
type Stringify = (value: unknown) => string;

export interface StoredJson {
  /** The object's JSON with `metadata.resourceVersion` set to the revision. */
  readonly json: Buffer;
  /** Position of the JSON object of `metadata.labels` in `json`; undefined if there are no labels. */
  readonly labels: ByteSpan | undefined;
  /** The selectable fields as recorded when the object was written, and the mark under the name "". */
  readonly fields: Readonly<Record<string, string>> | undefined;
}

export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

export interface EncodeStoredJsonOptions {
  /** The kind's selectable fields and their values in this object. */
  readonly fields?: Readonly<Record<string, string>>;
  /** A mark to record before the fields, for `hasMark`. */
  readonly mark?: string | undefined;
  /** Writes a value as JSON. Needed for objects with values that `JSON.stringify` does not support. */
  readonly stringify?: Stringify;
  /** Members after metadata whose JSON is already available. */
  readonly printed?: PrintedMembers | undefined;
}

/** Consecutive members and their JSON, such as `"spec":{},"status":{}`. */
export interface PrintedMembers {
  readonly names: readonly string[];
  readonly json: Buffer;
}

/** Encodes an object for the embedded store, without its resourceVersion. */
export function encodeStoredJson(object: JsonObject, options: EncodeStoredJsonOptions = {}): Buffer {
  const { stringify = JSON.stringify, printed } = options;
  const pieces = split(object);
  const { head, between, labels } = pieces;
  const hasLabels = labels !== undefined;
  const texts = {
    head: stringify(head),
    between: hasLabels ? stringify(between) : "",
    labels: hasLabels ? stringify(labels) : "",
  };
  if (printed === undefined) return encodeText(layOut(pieces, { ...texts, tail: stringify(pieces.tail) }), options);
  const { before, after } = printAround(printed.names, pieces.tail, stringify);
  return encodeText(layOut(pieces, { ...texts, tail: before }), options, printed.json, after);
}

/** Prints the members from metadata on, except the consecutive members whose JSON is already available. `before` and `after` surround that JSON. */
function printAround(
  [first = "", ...others]: readonly string[],
  tail: JsonObject,
  stringify: Stringify,
): { before: string; after: string } {
  const names = Object.keys(tail);
  const place = names.indexOf(first);
  const before = stringify(pick(tail, names.slice(0, place)));
  const following = names.slice(place + 1 + others.length);
  const after = following.length === 0 ? "{}" : stringify(pick(tail, following));
  return { before: `${before.slice(0, -1)},`, after: after === "{}" ? "}" : `,${after.slice(1)}` };
}

/** Like `encodeStoredJson`, in steps between which a caller may pause, for a large object. */
export function* encodeStoredJsonSteps(
  object: JsonObject,
  stringifySteps: (value: unknown) => Steps<string>,
  options: EncodeStoredJsonOptions & { readonly stringify: Stringify },
): Steps<Buffer> {
  const pieces = split(object);
  const hasLabels = pieces.labels !== undefined;
  const tail = yield* stringifySteps(pieces.tail);
  const head = yield* stringifySteps(pieces.head);
  const between = hasLabels ? yield* stringifySteps(pieces.between) : "";
  const labels = hasLabels ? yield* stringifySteps(pieces.labels) : "";
  yield;
  return encodeText(layOut(pieces, { head, between, labels, tail }), options);
}

/** Builds the stored value from the laid-out text, the bytes inserted after it, and the text after these. */
function encodeText(text: Layout, options: EncodeStoredJsonOptions, inserted = NO_BYTES, after = ""): Buffer {
  const fields = recordedFields(options);
  const fieldsLength = Buffer.byteLength(fields);
  const start = HEADER_BYTES + fieldsLength;
  const length = Buffer.byteLength(text.json);
  const insertedEnd = start + length + inserted.length;
  const bytes = Buffer.allocUnsafe(insertedEnd + Buffer.byteLength(after));
  const isAscii = length === text.json.length;
  const offsetOf = (position: number): number => (isAscii ? position : Buffer.byteLength(text.json.slice(0, position)));
  bytes.writeUInt32LE(MAGIC, 0);
  bytes.writeUInt8(text.first ? FLAG_FIRST : 0, 4);
  bytes.writeUInt16LE(fieldsLength, 5);
  bytes.writeUInt32LE(offsetOf(text.splice), 7);
  bytes.writeUInt32LE(offsetOf(text.labels), 11);
  bytes.writeUInt32LE(offsetOf(text.labelsEnd) - offsetOf(text.labels), 15);
  bytes.write(fields, HEADER_BYTES);
  bytes.write(text.json, start);
  inserted.copy(bytes, start + length);
  bytes.write(after, insertedEnd);
  return bytes;
}

export function isStoredJson(value: Uint8Array): boolean {
  return value.length >= HEADER_BYTES && asBuffer(value).readUInt32LE(0) === MAGIC;
}

/** The JSON inside a stored value, without resourceVersion; undefined for values in other formats. */
export function storedJsonText(value: Uint8Array): Uint8Array | undefined {
  return isStoredJson(value) ? value.subarray(HEADER_BYTES + asBuffer(value).readUInt16LE(5)) : undefined;
}

/** The first bytes of the recorded fields of values with this mark, for `hasMark`. */
export function markOpening(mark: string): Buffer {
  return Buffer.from(`{"":${JSON.stringify(mark)}`);
}

/** Whether a stored value was written with a mark. `opening` is the result of `markOpening`. */
export function hasMark(value: Uint8Array, opening: Buffer): boolean {
  return hasAt(value, HEADER_BYTES, opening);
}

/** Whether the JSON of a stored value starts with these bytes. */
export function jsonBeginsWith(value: Uint8Array, opening: Buffer): boolean {
  return hasAt(value, HEADER_BYTES + ((value[5] ?? 0) | ((value[6] ?? 0) << 8)), opening);
}

/** Compares byte by byte: for a few bytes, this is faster than creating a view. */
function hasAt(value: Uint8Array, start: number, bytes: Buffer): boolean {
  for (let index = 0; index < bytes.length; index++) {
    if (value[start + index] !== bytes[index]) return false;
  }
  return true;
}

/** Whether two values decode to the same JSON at the same revision. */
export function readsAlike(one: Uint8Array, other: Uint8Array): boolean {
  const text = storedJsonText(one);
  const otherText = storedJsonText(other);
  if (text === undefined || otherText === undefined || text.length !== otherText.length) return false;
  return one[4] === other[4] && sameSplice(one, other) && Buffer.compare(text, otherText) === 0;
}

function sameSplice(one: Uint8Array, other: Uint8Array): boolean {
  return asBuffer(one).readUInt32LE(7) === asBuffer(other).readUInt32LE(7);
}

/** Decodes a value written by `encodeStoredJson`. Throws a RangeError if its offsets contradict its length. */
export function decodeStoredJson(
  value: Uint8Array,
  modRevision: number,
  allocate: AllocateBytes = Buffer.allocUnsafeSlow,
): StoredJson {
  const bytes = asBuffer(value);
  const start = HEADER_BYTES + bytes.readUInt16LE(5);
  const splice = bytes.readUInt32LE(7);
  const labels = bytes.readUInt32LE(11);
  const labelsLength = bytes.readUInt32LE(15);
  const length = bytes.length - start;
  if (splice > length || labels + labelsLength > length) {
    throw new RangeError("the recorded offsets lie outside the value");
  }
  const member = versionMember(bytes, modRevision);
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

/** Whether `decodeStoredJson` would decode a stored value to this JSON, which includes the revision. */
export function readsAs(value: Uint8Array, json: Buffer, modRevision: number): boolean {
  const text = storedJsonText(value);
  if (text === undefined) return false;
  const bytes = asBuffer(value);
  const splice = bytes.readUInt32LE(7);
  const member = versionMember(bytes, modRevision);
  return (
    json.length === text.length + member.length &&
    json.subarray(splice + member.length).equals(text.subarray(splice)) &&
    json.subarray(0, splice).equals(text.subarray(0, splice)) &&
    json.toString("latin1", splice, splice + member.length) === member
  );
}

function versionMember(bytes: Buffer, modRevision: number): string {
  const first = (bytes.readUInt8(4) & FLAG_FIRST) !== 0;
  return `${first ? "" : ","}"resourceVersion":"${modRevision}"`;
}

/** The text of a stored value. Positions are in characters of `json`, which lacks resourceVersion. A comma precedes the members after `splice`. */
interface Layout {
  readonly json: string;
  readonly first: boolean;
  readonly splice: number;
  readonly labels: number;
  readonly labelsEnd: number;
}

/** The pieces as JSON. The last one may lack the members from a printed member on. */
interface Texts {
  readonly head: string;
  readonly between: string;
  readonly labels: string;
  readonly tail: string;
}

/** Concatenates a few large pieces, because each call of `stringify` is expensive. */
function layOut({ first, labels: hasLabels, labelsFirst }: Pieces, texts: Texts): Layout {
  const opening = texts.head.slice(0, -"}}".length);
  const between = texts.between.slice("{".length, -"}".length);
  const named = '"labels":';
  const head = labelsFirst
    ? `${opening}${commaAfter(opening)}${named}${texts.labels}${between === "" ? "" : `,${between}`}`
    : opening;
  const tail = texts.tail.slice('{"metadata":{'.length);
  const comma = tail.startsWith("}") ? "" : ",";
  const layout = { json: `${head}${comma}${tail}`, first, splice: head.length };
  if (hasLabels === undefined) return { ...layout, labels: 0, labelsEnd: 0 };
  const labels = labelsFirst
    ? opening.length + commaAfter(opening).length + named.length
    : head.length + (between === "" ? 0 : 1 + between.length) + 1 + named.length;
  return { ...layout, labels, labelsEnd: labels + texts.labels.length };
}

/** The comma, if one is needed, between members of metadata at the end of a text and the next member. */
const commaAfter = (text: string): string => (text.endsWith("{") ? "" : ",");

interface Pieces {
  /** Everything before resourceVersion, or before labels if they precede it. */
  readonly head: JsonObject;
  /** Everything after resourceVersion. */
  readonly tail: JsonObject;
  /** Whether no member of metadata precedes resourceVersion. */
  readonly first: boolean;
  /** Members of metadata between resourceVersion and labels, in whichever order these two are. */
  readonly between: JsonObject;
  readonly labels: unknown;
  readonly labelsFirst: boolean;
}

function split(object: JsonObject): Pieces {
  const { metadata = {} } = object as { readonly metadata?: JsonObject };
  const names = Object.keys(metadata).filter((name) => name !== "resourceVersion" && metadata[name] !== undefined);
  const precedes: (name: string) => boolean = isSortedObject(object)
    ? (name) => name < "resourceVersion"
    : (name) => BEFORE_RESOURCE_VERSION.has(name);
  const after = names.findIndex((name) => !precedes(name));
  const splice = after < 0 ? names.length : after;
  const labels = metadata.labels ?? undefined;
  const labelsIndex = labels === undefined ? splice : names.indexOf("labels");
  const labelsFirst = labelsIndex < splice;
  const members = Object.keys(object);
  const metadataIndex = Math.max(0, members.indexOf("metadata"));
  const between = labelsFirst ? names.slice(labelsIndex + 1, splice) : names.slice(splice, labelsIndex);
  return {
    head: {
      ...pick(object, members.slice(0, metadataIndex)),
      metadata: pick(metadata, names.slice(0, Math.min(splice, labelsIndex))),
    },
    tail: {
      metadata: pick(metadata, names.slice(splice)),
      ...pick(object, afterMetadata(members, metadataIndex)),
    },
    first: splice === 0,
    between: pick(metadata, between),
    labels,
    labelsFirst,
  };
}

function afterMetadata(members: readonly string[], metadataIndex: number): readonly string[] {
  return members[metadataIndex] === "metadata" ? members.slice(metadataIndex + 1) : members;
}

function pick(object: JsonObject, names: readonly string[]): JsonObject {
  const picked: Record<string, unknown> = {};
  for (const name of names) setOwn(picked, name, object[name]);
  return picked;
}

/** Omits fields that are too long for the header: readers then search the object. */
function recordedFields({ fields, mark }: EncodeStoredJsonOptions): string {
  const text = recordedText(fields, mark);
  return Buffer.byteLength(text) > MAX_FIELDS_BYTES ? recordedText(undefined, mark) : text;
}

function recordedText(fields: Readonly<Record<string, string>> | undefined, mark: string | undefined): string {
  if (mark === undefined) return fields === undefined ? "" : JSON.stringify(fields);
  return JSON.stringify({ "": mark, ...fields });
}

function parseFields(text: string): Record<string, string> {
  return JSON.parse(text) as Record<string, string>;
}

function asBuffer(value: Uint8Array): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}
