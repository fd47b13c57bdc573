import { parseJson } from "../encoding/json/parse-json.ts";
import { ProtobufError, WIRE_BYTES, WIRE_VARINT, WireReader } from "../encoding/protobuf/wire-reader.ts";
import { sortUtf8 } from "../lib/compare-utf8.ts";
import { formatDuration } from "../lib/go-duration.ts";
import { setOwn } from "../lib/json-object.ts";
import { canonicalQuantity } from "../lib/quantity.ts";
import { formatMicroTime, formatTime, isZeroTime, type Moment } from "../lib/rfc3339.ts";
import { absentValue, isEmpty, keepsZero, zeroValue } from "./absent-value.ts";
import {
  type FieldShape,
  type ListShape,
  lazy,
  type MapShape,
  type ScalarShape,
  type Shape,
  type StructShape,
} from "./shape.ts";
import type { PlainObject } from "./type-schema.ts";
import { type PlainScalar, wireTypeOf } from "./wire-type.ts";

/** Reads a value after its tag. */
type ValueReader = (reader: WireReader) => unknown;
/** Reads a field into its slot. */
type FieldReader = (reader: WireReader, slots: unknown[], base: number, wireType: number) => void;

interface StructReader {
  /** Reads the fields of a message up to its end; slots are counted in the order JSON has the fields. */
  read(reader: WireReader, slots: unknown[], base: number): void;
  /** The canonical object of what was read. */
  build(slots: readonly unknown[]): PlainObject;
  readonly size: () => number;
}

/** Compiles decoders from protobuf messages to canonical objects. Each named struct is compiled once. */
export class ProtobufDecoderCompiler {
  readonly #structs = new Map<StructShape, StructReader>();

  /** Decodes a whole message. Malformed input throws `ProtobufError`. */
  message(shape: StructShape): (bytes: Uint8Array) => PlainObject {
    const struct = this.#struct(shape);
    return (bytes) => {
      const slots = new Array<unknown>(struct.size());
      struct.read(new WireReader(bytes), slots, 0);
      return struct.build(slots);
    };
  }

  #struct(shape: StructShape): StructReader {
    const known = this.#structs.get(shape);
    if (known !== undefined) return known;
    let fields: readonly (FieldReader | undefined)[] | undefined;
    let finishers: readonly Finisher[] | undefined;
    const struct: StructReader = {
      size: lazy(() => shape.flatFields.length),
      read: (reader, slots, base) => {
        fields ??= this.#fields(shape);
        while (!reader.atEnd) {
          const tag = reader.uint32();
          const number = Math.floor(tag / 8);
          const field = fields[number];
          if (number === 0) throw new ProtobufError(`proto: ${shape.name}: illegal tag 0 (wire type ${tag & 7})`);
          if (field === undefined) reader.skip(tag & 7, number);
          else field(reader, slots, base, tag & 7);
        }
      },
      build: (slots) => {
        finishers ??= shape.flatFields.map(finisher);
        const object: PlainObject = {};
        for (let i = 0; i < finishers.length; i++) {
          const field = finishers[i] as Finisher;
          const value = slots[i];
          if (value !== undefined && (field.keepsZero || !isEmpty(value))) {
            object[field.name] = field.isMap ? sortedMap(value as PlainObject) : value;
          } else if (field.always) {
            object[field.name] = field.absent();
          }
        }
        return object;
      },
    };
    this.#structs.set(shape, struct);
    return struct;
  }

  #fields(shape: StructShape): readonly (FieldReader | undefined)[] {
    const byNumber: (FieldReader | undefined)[] = [];
    let slot = 0;
    for (const field of shape.fields) {
      if (field.number !== undefined) byNumber[field.number] = this.#field(field, slot, shape.name);
      slot += field.name === "" && field.type.kind === "struct" ? field.type.flatFields.length : 1;
    }
    // A dense array is read faster than one with holes.
    return Array.from(byNumber);
  }

  #field(field: FieldShape, slot: number, owner: string): FieldReader {
    const { type, name } = field;
    if (name === "") {
      const inner = this.#struct(type as StructShape);
      return (reader, slots, base, wireType) => {
        expectWireType(wireType, WIRE_BYTES, owner, "inline");
        const outer = reader.enter();
        inner.read(reader, slots, base + slot);
        reader.leave(outer);
      };
    }
    if (type.kind === "list" && !type.message) return this.#repeated(name, slot, type);
    if (type.kind === "map") return this.#entry(name, slot, type);
    const read = this.#value(type);
    const expected = wireTypeOf(type);
    return (reader, slots, base, wireType) => {
      expectWireType(wireType, expected, owner, name);
      slots[base + slot] = read(reader);
    };
  }

  #repeated(name: string, slot: number, type: ListShape): FieldReader {
    const read = this.#value(type.element);
    const expected = wireTypeOf(type.element);
    return (reader, slots, base, wireType) => {
      const list = (slots[base + slot] ??= []) as unknown[];
      if (wireType === expected) {
        list.push(read(reader));
        return;
      }
      // Numbers may come packed.
      expectWireType(wireType, WIRE_BYTES, "list", name);
      const outer = reader.enter();
      while (!reader.atEnd) list.push(read(reader));
      reader.leave(outer);
    };
  }

  #entry(name: string, slot: number, type: MapShape): FieldReader {
    const read = this.#value(type.element);
    const expected = wireTypeOf(type.element);
    return (reader, slots, base, wireType) => {
      expectWireType(wireType, WIRE_BYTES, "map", name);
      const map = (slots[base + slot] ??= {}) as PlainObject;
      const outer = reader.enter();
      let key = "";
      let value: unknown;
      while (!reader.atEnd) {
        const tag = reader.uint32();
        if (tag === 0x0a) key = reader.string();
        else if (tag === 16 + expected) value = read(reader);
        else reader.skip(tag & 7, tag >>> 3);
      }
      reader.leave(outer);
      setOwn(map, key, value === undefined ? zeroValue(type.element) : value);
    };
  }

  #value(type: Shape): ValueReader {
    switch (type.kind) {
      case "struct": {
        const struct = this.#struct(type);
        return (reader) => {
          const outer = reader.enter();
          const slots = new Array<unknown>(struct.size());
          struct.read(reader, slots, 0);
          reader.leave(outer);
          return struct.build(slots);
        };
      }
      case "list": {
        const items = this.#repeated("items", 0, type);
        return (reader) => {
          const slots: unknown[] = [undefined];
          readMessage(reader, (field, wireType) => {
            if (field !== 1) return false;
            items(reader, slots, 0, wireType);
            return true;
          });
          return slots[0] ?? null;
        };
      }
      case "map":
        throw new TypeError("a map has no wire form outside a field");
      case "scalar":
        return type.scalar.startsWith("schemaOr") ? this.#schemaOrOther(type) : SCALARS[type.scalar as PlainScalar];
    }
  }

  #schemaOrOther(type: ScalarShape): ValueReader {
    const schema: ValueReader = (reader) => this.#value(type.schema())(reader);
    const { scalar } = type;
    return (reader) => {
      let allows = false;
      let single: unknown;
      const many: unknown[] = [];
      readMessage(reader, (field, wireType) => {
        if (scalar === "schemaOrBool" && field === 1 && wireType === WIRE_VARINT) allows = reader.bool();
        else if (wireType !== WIRE_BYTES || field > 2) return false;
        else if (field === (scalar === "schemaOrBool" ? 2 : 1)) single = schema(reader);
        else many.push(scalar === "schemaOrArray" ? schema(reader) : reader.string());
        return true;
      });
      if (many.length > 0) return many;
      return single ?? (scalar === "schemaOrBool" ? allows : null);
    };
  }
}

interface Finisher {
  readonly name: string;
  readonly keepsZero: boolean;
  readonly always: boolean;
  readonly absent: () => unknown;
  readonly isMap: boolean;
}

function finisher(field: FieldShape): Finisher {
  const { name, always, type } = field;
  return { name, keepsZero: keepsZero(field), always, absent: absentValue(field), isMap: type.kind === "map" };
}

/** Entries arrive sorted from every honest writer. */
function sortedMap(map: PlainObject): PlainObject {
  const keys = Object.keys(map);
  const sorted = sortUtf8(keys.slice());
  if (keys.every((key, i) => key === sorted[i])) return map;
  const output: PlainObject = {};
  for (const key of sorted) setOwn(output, key, map[key]);
  return output;
}

function expectWireType(actual: number, expected: number, owner: string, field: string): void {
  if (actual !== expected) throw new ProtobufError(`proto: wrong wireType = ${actual} for field ${owner}.${field}`);
}

/** Reads a nested message field by field; fields that `take` declines are passed over. */
function readMessage(reader: WireReader, take: (field: number, wireType: number) => boolean): void {
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
  if (Math.abs(seconds) > MAX_SECONDS) throw new ProtobufError("proto: time out of range");
  return { seconds, nanos };
}

/** Years 0 to 9999 and a little more: what JavaScript can print in four digits is checked by formatTime's caller. */
const MAX_SECONDS = 253_402_300_799;

function readTime(reader: WireReader, format: (moment: Moment) => string): string | null {
  const moment = readMoment(reader);
  return moment === undefined || isZeroTime(moment) ? null : format(moment);
}

/** The field with number 1 of a message that has no other of interest. */
function readSingle<T>(reader: WireReader, wireType: number, read: () => T): T | undefined {
  let value: T | undefined;
  readMessage(reader, (field, actual) => {
    if (field !== 1 || actual !== wireType) return false;
    value = read();
    return true;
  });
  return value;
}

/** JSON kept as text inside the message. */
function readRawJson(reader: WireReader): unknown {
  const raw = readSingle(reader, WIRE_BYTES, () => reader.bytes());
  if (raw === undefined || raw.length === 0) return null;
  try {
    return parseJson(raw).value;
  } catch (cause) {
    throw new ProtobufError(`proto: raw object is not JSON: ${(cause as Error).message}`);
  }
}

const SCALARS: Readonly<Record<PlainScalar, ValueReader>> = {
  string: (reader) => reader.string(),
  boolean: (reader) => reader.bool(),
  int32: (reader) => reader.int32(),
  int64: (reader) => reader.int64(),
  double: (reader) => reader.double(),
  bytes: (reader) => reader.bytes().toString("base64"),
  time: (reader) => readTime(reader, formatTime),
  microTime: (reader) => readTime(reader, formatMicroTime),
  duration: (reader) => formatDuration(BigInt(readSingle(reader, WIRE_VARINT, () => reader.int64()) ?? 0)),
  quantity: (reader) => readQuantity(readSingle(reader, WIRE_BYTES, () => reader.string()) ?? ""),
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
  rawObject: readRawJson,
  json: readRawJson,
  fieldsV1: readRawJson,
};

function readQuantity(text: string): string {
  if (text === "") return "0";
  try {
    return canonicalQuantity(text);
  } catch (cause) {
    throw new ProtobufError((cause as Error).message);
  }
}
