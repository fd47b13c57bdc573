import { JsonText } from "../encoding/json/json-text.ts";
import { rawText } from "../encoding/json/raw-text.ts";
import { stringifyJson, stringifyJsonSteps } from "../encoding/json/stringify-json.ts";
import { WIRE_BYTES, WIRE_VARINT } from "../encoding/protobuf/wire-reader.ts";
import { WireWriter } from "../encoding/protobuf/wire-writer.ts";
import { parseDuration } from "../go/duration.ts";
import { sortUtf8, sortUtf8Steps } from "../lib/compare-utf8.ts";
import type { Steps } from "../lib/in-turns.ts";
import { notedKeys } from "../lib/json-object.ts";
import { parseTime } from "../values/times.ts";
import type { FieldShape, ListShape, MapShape, ScalarShape, Shape, StructShape } from "./shape.ts";
import type { PlainObject } from "./type-schema.ts";
import { type PlainScalar, wireTypeOf } from "./wire-type.ts";

/** Writes a value without its tag. Writes the zero value for undefined and null. */
type ValueWriter = (value: unknown, writer: WireWriter) => void;
/** Writes a field including its tag, or nothing. For an inlined struct, the object itself is passed. */
type FieldWriter = (value: unknown, object: PlainObject, writer: WireWriter) => void;

const NOTHING: PlainObject = {};
/** Number of list or map entries that are written in one step. */
const ENTRIES_PER_STEP = 256;

/**
 * Compiles encoders that write the same bytes as Kubernetes: fields in order of their numbers, untracked values even if zero, map entries
 * sorted by key. The writer works from back to front, so all loops here do too.
 */
export class ProtobufEncoderCompiler {
  readonly #structs = new Map<StructShape, (object: PlainObject, writer: WireWriter) => void>();
  readonly #compiled = new Map<StructShape, CompiledFields>();
  readonly #writer = new WireWriter(16_384);

  /** Encodes a whole message. */
  message(shape: StructShape): (object: PlainObject) => Buffer {
    const encode = this.#struct(shape);
    const writer = this.#writer;
    return (object) => {
      try {
        encode(object, writer);
        return writer.take();
      } finally {
        writer.reset();
      }
    };
  }

  /** Encodes a complete large message; can be interrupted. */
  messageSteps(shape: StructShape): (object: PlainObject) => Steps<Buffer> {
    const steps = (object: PlainObject, writer: WireWriter) => this.#structSteps(shape, object, writer);
    return function* (object) {
      // A separate writer, because another message may be encoded between two steps.
      const writer = new WireWriter(65_536);
      yield* steps(object, writer);
      return writer.take();
    };
  }

  /** Returns the writer of a value, without its tag. */
  value(type: Shape): ValueWriter {
    return this.#value(type);
  }

  /** Returns the writer of the entries of a map, including their tags. */
  entries(number: number, type: MapShape): ValueWriter {
    const write = this.#entries(number, type);
    return (value, writer) => write(value, NOTHING, writer);
  }

  *#structSteps(shape: StructShape, object: PlainObject, writer: WireWriter): Steps<void> {
    const { fields, writers, places } = this.#fieldsOf(shape);
    const values = valuesIn(object, places);
    for (let i = writers.length - 1; i >= 0; i--) {
      const { name, number, type } = fields[i] as FieldShape & { readonly number: number };
      const value = values[i];
      const isStruct = type.kind === "struct" && name !== "" && value !== undefined && value !== null;
      if (isStruct) yield* this.#nestedSteps(number, type, value as PlainObject, writer);
      else if (type.kind === "list" && !type.message && Array.isArray(value))
        yield* this.#repeatedSteps(number, type, value, writer);
      else if (type.kind === "map" && typeof value === "object" && value !== null)
        yield* this.#entriesSteps(number, type, value as PlainObject, writer);
      else {
        const isOwners = type.kind === "scalar" && type.scalar === "fieldsV1";
        const isPrinted = !isOwners || value === undefined || value === null || value instanceof JsonText;
        const written = isPrinted ? value : new JsonText(yield* stringifyJsonSteps(value));
        (writers[i] as FieldWriter)(written, object, writer);
      }
    }
  }

  *#nestedSteps(number: number, type: StructShape, value: PlainObject, writer: WireWriter): Steps<void> {
    const before = writer.length;
    yield* this.#structSteps(type, value, writer);
    writer.varint(writer.length - before);
    writer.varint(tagOf(number, WIRE_BYTES));
  }

  *#repeatedSteps(number: number, type: ListShape, list: readonly unknown[], writer: WireWriter): Steps<void> {
    const { element } = type;
    const write = this.#value(element);
    const tag = tagOf(number, wireTypeOf(element));
    for (let i = list.length - 1; i >= 0; i--) {
      if (i % ENTRIES_PER_STEP === 0) yield;
      if (element.kind === "struct") {
        yield* this.#nestedSteps(number, element, (list[i] as PlainObject | null | undefined) ?? NOTHING, writer);
        continue;
      }
      write(list[i], writer);
      writer.varint(tag);
    }
  }

  *#entriesSteps(number: number, type: MapShape, map: PlainObject, writer: WireWriter): Steps<void> {
    const write = this.#entry(number, type);
    const keys = notedKeys(map) ?? (yield* sortUtf8Steps(Object.keys(map)));
    yield;
    for (let i = keys.length - 1; i >= 0; i--) {
      if (i % ENTRIES_PER_STEP === 0) yield;
      write(keys[i] as string, map, writer);
    }
  }

  #struct(shape: StructShape): (object: PlainObject, writer: WireWriter) => void {
    const known = this.#structs.get(shape);
    if (known !== undefined) return known;
    let compiled: CompiledFields | undefined;
    const encode = (object: PlainObject, writer: WireWriter) => {
      const { writers, places } = (compiled ??= this.#fieldsOf(shape));
      const values = valuesIn(object, places);
      for (let i = writers.length - 1; i >= 0; i--) (writers[i] as FieldWriter)(values[i], object, writer);
    };
    this.#structs.set(shape, encode);
    return encode;
  }

  #fieldsOf(shape: StructShape): CompiledFields {
    let compiled = this.#compiled.get(shape);
    if (compiled === undefined) {
      const fields = shape.fields
        .filter((field) => field.number !== undefined)
        .sort((a, b) => (a.number as number) - (b.number as number));
      compiled = {
        fields,
        writers: fields.map((field) => this.#field(field, field.number as number)),
        places: new Map(fields.map((field, place) => [field.name, place])),
      };
      this.#compiled.set(shape, compiled);
    }
    return compiled;
  }

  #field(field: FieldShape, number: number): FieldWriter {
    const { name, type, tracked } = field;
    if (name === "") {
      const write = this.#value(type);
      const tag = tagOf(number, WIRE_BYTES);
      return (_value, object, writer) => {
        write(object, writer);
        writer.varint(tag);
      };
    }
    if (type.kind === "list" && !type.message) return this.#repeated(number, type);
    if (type.kind === "map") return this.#entries(number, type);
    const write = this.#value(type);
    const tag = tagOf(number, wireTypeOf(type));
    const onlyWhenSet = tracked || (type.kind === "scalar" && type.scalar === "bytes");
    return (value, _object, writer) => {
      if (onlyWhenSet && (value === undefined || value === null)) return;
      write(value, writer);
      writer.varint(tag);
    };
  }

  #repeated(number: number, type: ListShape): FieldWriter {
    const write = this.#value(type.element);
    const tag = tagOf(number, wireTypeOf(type.element));
    return (value, _object, writer) => {
      const list = value as readonly unknown[] | null | undefined;
      if (list === undefined || list === null) return;
      for (let i = list.length - 1; i >= 0; i--) {
        write(list[i], writer);
        writer.varint(tag);
      }
    };
  }

  #entries(number: number, type: MapShape): FieldWriter {
    const write = this.#entry(number, type);
    return (value, _object, writer) => {
      const map = value as PlainObject | null | undefined;
      if (map === undefined || map === null) return;
      const keys = sortUtf8(Object.keys(map));
      for (let i = keys.length - 1; i >= 0; i--) write(keys[i] as string, map, writer);
    };
  }

  #entry(number: number, type: MapShape): (key: string, map: PlainObject, writer: WireWriter) => void {
    const write = this.#value(type.element);
    const tag = tagOf(number, WIRE_BYTES);
    const valueTag = tagOf(2, wireTypeOf(type.element));
    return (key, map, writer) => {
      const before = writer.length;
      write(map[key], writer);
      writer.varint(valueTag);
      writer.string(key);
      writer.varint(KEY_TAG);
      writer.varint(writer.length - before);
      writer.varint(tag);
    };
  }

  /** Returns the writer of a value without its tag. Nested messages include their length. */
  #value(type: Shape): ValueWriter {
    switch (type.kind) {
      case "struct": {
        const encode = this.#struct(type);
        return nested((value, writer) => encode((value as PlainObject | null | undefined) ?? NOTHING, writer));
      }
      case "list": {
        const items = this.#repeated(1, type);
        return nested((value, writer) => items(value, NOTHING, writer));
      }
      case "map":
        throw new TypeError("a map has no wire form outside a field");
      case "scalar":
        return type.scalar.startsWith("schemaOr") ? this.#schemaOrOther(type) : SCALARS[type.scalar as PlainScalar];
    }
  }

  #schemaOrOther(type: ScalarShape): ValueWriter {
    const schema: ValueWriter = (value, writer) => this.#value(type.schema())(value, writer);
    return nested((value, writer) => {
      const isSchema = typeof value === "object" && value !== null && !Array.isArray(value);
      if (type.scalar === "schemaOrBool") {
        if (isSchema) {
          schema(value, writer);
          writer.varint(tagOf(2, WIRE_BYTES));
        }
        writer.bool(isSchema || value === true);
        writer.varint(tagOf(1, WIRE_VARINT));
        return;
      }
      if (isSchema) {
        schema(value, writer);
        writer.varint(tagOf(1, WIRE_BYTES));
      } else if (Array.isArray(value)) {
        const write = type.scalar === "schemaOrArray" ? schema : SCALARS.string;
        for (let i = value.length - 1; i >= 0; i--) {
          write(value[i], writer);
          writer.varint(tagOf(2, WIRE_BYTES));
        }
      }
    });
  }
}

interface CompiledFields {
  /** Sorted by field number. */
  readonly fields: readonly FieldShape[];
  /** In the same order as `fields`. */
  readonly writers: readonly FieldWriter[];
  readonly places: ReadonlyMap<string, number>;
}

/** Collects the set fields by index. Most fields of most objects are unset, so this is faster than reading every field. */
function valuesIn(object: PlainObject, places: CompiledFields["places"]): unknown[] {
  const values = new Array<unknown>(places.size);
  for (const key in object) {
    const place = places.get(key);
    if (place !== undefined) values[place] = object[key];
  }
  return values;
}

const KEY_TAG = tagOf(1, WIRE_BYTES);

export function tagOf(number: number, wireType: number): number {
  return number * 8 + wireType;
}

function nested(write: ValueWriter): ValueWriter {
  return (value, writer) => {
    const before = writer.length;
    write(value, writer);
    writer.varint(writer.length - before);
  };
}

const isUnset = (value: unknown): value is null | undefined => value === undefined || value === null;

function writeMoment(value: unknown, writer: WireWriter, micro: boolean): void {
  if (isUnset(value)) return;
  const { seconds, nanos } = parseTime(value as string, micro);
  writer.int(micro ? nanos : 0);
  writer.varint(tagOf(2, WIRE_VARINT));
  writer.int(seconds);
  writer.varint(tagOf(1, WIRE_VARINT));
}

/** Writes a message whose only field is the JSON text of the value. */
const rawJson = rawWriter(stringifyJson);

function rawWriter(print: (value: unknown) => string): ValueWriter {
  return nested((value, writer) => {
    if (isUnset(value)) return;
    writer.string(print(value));
    writer.varint(tagOf(1, WIRE_BYTES));
  });
}

const SCALARS: Readonly<Record<PlainScalar, ValueWriter>> = {
  string: (value, writer) => writer.string((value as string | null | undefined) ?? ""),
  boolean: (value, writer) => writer.bool(value === true),
  int32: (value, writer) => writer.int((value as number | null | undefined) ?? 0),
  int64: (value, writer) => writer.int((value as number | bigint | null | undefined) ?? 0),
  // Stored whole numbers beyond 2^53 are read as bigint.
  double: (value, writer) => writer.double(Number((value as number | bigint | null | undefined) ?? 0)),
  bytes: (value, writer) => writer.lengthPrefixed(Buffer.from((value as string | null | undefined) ?? "", "base64")),
  time: nested((value, writer) => writeMoment(value, writer, false)),
  microTime: nested((value, writer) => writeMoment(value, writer, true)),
  duration: nested((value, writer) => {
    writer.int(parseDuration((value as string | null | undefined) ?? "0s"));
    writer.varint(tagOf(1, WIRE_VARINT));
  }),
  quantity: nested((value, writer) => {
    writer.string((value as string | null | undefined) ?? "0");
    writer.varint(tagOf(1, WIRE_BYTES));
  }),
  intOrString: nested((value, writer) => {
    const isText = typeof value === "string";
    writer.string(isText ? value : "");
    writer.varint(tagOf(3, WIRE_BYTES));
    writer.int(isText ? 0 : ((value as number | null | undefined) ?? 0));
    writer.varint(tagOf(2, WIRE_VARINT));
    writer.varint(isText ? 1 : 0);
    writer.varint(tagOf(1, WIRE_VARINT));
  }),
  rawObject: rawWriter(rawText),
  json: rawJson,
  fieldsV1: rawWriter((value) => (value instanceof JsonText ? value.text : stringifyJson(value))),
};
