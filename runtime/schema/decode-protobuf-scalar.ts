import { parseJson } from "../encoding/json/parse-json.ts";
import { withRawText } from "../encoding/json/raw-text.ts";
import { DepthError, MAX_DEPTH } from "../encoding/max-depth.ts";
import { ProtobufError, WIRE_BYTES, WIRE_VARINT, type WireReader } from "../encoding/protobuf/wire-reader.ts";
import { formatDuration } from "../go/duration.ts";
import { canonicalQuantity } from "../values/quantity.ts";
import { formatMicroMoment, formatMoment, isZeroTime, type Moment } from "../values/times.ts";
import type { PlainScalar } from "./wire-type.ts";

/** Reads the value that follows a tag. */
export type ValueReader = (reader: WireReader) => unknown;

/** Reads a nested message field by field. Skips fields for which `take` returns false. */
export function readMessage(reader: WireReader, take: (field: number, wireType: number) => boolean): void {
  const outer = reader.enter();
  while (!reader.atEnd) {
    const tag = reader.uint32();
    if (!take(tag >>> 3, tag & 7)) reader.skip(tag & 7, tag >>> 3);
  }
  reader.leave(outer);
}

function readMoment(reader: WireReader): Moment | undefined {
  let seconds = 0;
  let nanos = 0;
  let empty = true;
  readMessage(reader, (field, wireType) => {
    if (wireType !== WIRE_VARINT || field > 2) return false;
    empty = false;
    if (field === 1) seconds = Number(reader.int64());
    else nanos = reader.int32();
    return true;
  });
  if (empty) return undefined;
  // Nanoseconds outside of one second carry over into the seconds.
  seconds += Math.floor(nanos / 1e9);
  const isPrintable = seconds >= MIN_SECONDS && seconds <= MAX_SECONDS;
  if (!isPrintable) throw new ProtobufError("proto: time out of range");
  return { seconds, nanos: ((nanos % 1e9) + 1e9) % 1e9 };
}

/** From year 0 to year 9999: the years that four digits can represent. */
const MIN_SECONDS = -62_167_219_200;
const MAX_SECONDS = 253_402_300_799;

function readTime(reader: WireReader, format: (moment: Moment) => string): string | null {
  const moment = readMoment(reader);
  return moment === undefined || isZeroTime(moment) ? null : format(moment);
}

/** Reads field 1 of a message and skips all others. */
function readSingle<T>(reader: WireReader, wireType: number, read: () => T): T | undefined {
  let value: T | undefined;
  readMessage(reader, (field, actual) => {
    if (field !== 1 || actual !== wireType) return false;
    value = read();
    return true;
  });
  return value;
}

/** Reads a message that contains JSON as text. */
function readRawJson(reader: WireReader): unknown {
  return parseRaw(
    readSingle(reader, WIRE_BYTES, () => reader.bytes()),
    reader.depth,
  );
}

/** Reads raw data and keeps its original text in the notes. */
function readRawObject(reader: WireReader): unknown {
  const raw = readSingle(reader, WIRE_BYTES, () => reader.bytes());
  return withRawText(parseRaw(raw, reader.depth), raw && Buffer.from(raw).toString("utf8"));
}

/** Parses JSON that is nested at some depth in the message of an object. */
function parseRaw(raw: Uint8Array | undefined, depth: number): unknown {
  if (raw === undefined || raw.length === 0) return null;
  try {
    const parsed = parseJson(raw);
    if (1 + depth + parsed.depth > MAX_DEPTH) throw new DepthError();
    return parsed.value;
  } catch (cause) {
    throw new ProtobufError(`proto: raw object is not JSON: ${(cause as Error).message}`);
  }
}

/** Readers of scalars that have their own wire format. They are called after the tag. */
export const SCALAR_READERS: Readonly<Record<PlainScalar, ValueReader>> = {
  string: (reader) => reader.string(),
  boolean: (reader) => reader.bool(),
  int32: (reader) => reader.int32(),
  int64: (reader) => reader.int64(),
  double: (reader) => reader.double(),
  bytes: (reader) => reader.bytes().toString("base64"),
  time: (reader) => readTime(reader, formatMoment),
  microTime: (reader) => readTime(reader, formatMicroMoment),
  duration: (reader) => formatDuration(BigInt(readSingle(reader, WIRE_VARINT, () => reader.int64()) ?? 0)),
  quantity: (reader) => readQuantity(readSingle(reader, WIRE_BYTES, () => reader.string())),
  intOrString: (reader) => {
    let isText = false;
    let number = 0;
    let text = "";
    readMessage(reader, (field, wireType) => {
      if (field === 1 && wireType === WIRE_VARINT) isText = reader.int64() === 1;
      else if (field === 2 && wireType === WIRE_VARINT) number = reader.int32();
      else if (field === 3 && wireType === WIRE_BYTES) text = reader.string();
      else return false;
      return true;
    });
    return isText ? text : number;
  },
  rawObject: readRawObject,
  json: readRawJson,
  fieldsV1: readRawJson,
};

function readQuantity(text: string | undefined): string {
  if (text === undefined) return "0";
  try {
    return canonicalQuantity(text);
  } catch (cause) {
    throw new ProtobufError((cause as Error).message);
  }
}
