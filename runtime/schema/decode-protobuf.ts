import { ProtobufError, WIRE_BYTES, WIRE_VARINT, WireReader } from "../encoding/protobuf/wire-reader.ts";
import { compareUtf8, isSortedUtf8, sortUtf8Steps } from "../lib/compare-utf8.ts";
import type { Steps } from "../lib/in-turns.ts";
import { getOwn, setOwn } from "../lib/json-object.ts";
import { absentValue, isEmpty, keepsZero, zeroValue } from "./absent-value.ts";
import { readMessage, SCALAR_READERS, type ValueReader } from "./decode-protobuf-scalar.ts";
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

/** Reads a field and stores its value in a slot. */
type FieldReader = (reader: WireReader, slots: unknown[], base: number, wireType: number) => void;

/** Number of fields of a message, such as entries of a map, that are read in one step. */
const FIELDS_PER_STEP = 256;

interface StructReader {
  /** Reads the fields of a message up to its end. Slots are numbered in JSON field order, starting at `base`. */
  read(reader: WireReader, slots: unknown[], base: number): void;
  /** Reads one field whose tag has already been read. */
  readField(tag: number, reader: WireReader, slots: unknown[], base: number): void;
  /** Returns the slots to read a message into. If the field occurred before, they contain its earlier value, with which the message merges. */
  open(reader: WireReader, earlier: unknown): unknown[];
  /** Builds the canonical object from the slots. */
  build(slots: readonly unknown[], mapsAreSorted?: boolean): PlainObject;
  readonly size: () => number;
}

/** Compiles decoders from protobuf messages to canonical objects. Each named struct is compiled once. */
export class ProtobufDecoderCompiler {
  readonly #structs = new Map<StructShape, StructReader>();
  readonly #places = new Map<StructShape, ReadonlyMap<number, StructPlace>>();
  readonly #maps = new Map<StructShape, readonly number[]>();

  /** Compiles the decoder of a complete message. The decoder throws `ProtobufError` for malformed input. */
  message(shape: StructShape): (bytes: Uint8Array) => PlainObject {
    const struct = this.#struct(shape);
    return (bytes) => {
      const slots = new Array<unknown>(struct.size());
      struct.read(new WireReader(bytes), slots, 0);
      return struct.build(slots);
    };
  }

  /** Compiles the decoder of a large message; can be interrupted. */
  messageSteps(shape: StructShape): (bytes: Uint8Array) => Steps<PlainObject> {
    const steps = (reader: WireReader) => this.#structSteps(shape, reader);
    return (bytes) => steps(new WireReader(bytes));
  }

  /** Reads a message up to its end in steps. Nested structs are read in steps too, both single ones and those in lists. */
  *#structSteps(shape: StructShape, reader: WireReader, earlier?: unknown): Steps<PlainObject> {
    const struct = this.#struct(shape);
    const slots = struct.open(reader, earlier);
    const places = this.#structPlaces(shape);
    for (let count = 1; !reader.atEnd; count++) {
      if (count % FIELDS_PER_STEP === 0) yield;
      const tag = reader.uint32();
      const place = (tag & 7) === WIRE_BYTES ? places.get(Math.floor(tag / 8)) : undefined;
      if (place === undefined) {
        struct.readField(tag, reader, slots, 0);
        continue;
      }
      const outer = reader.enter();
      const earlier = place.isList ? undefined : slots[place.slot];
      const value = yield* this.#structSteps(place.type, reader, earlier);
      reader.leave(outer);
      if (place.isList) ((slots[place.slot] ??= []) as unknown[]).push(value);
      else slots[place.slot] = value;
    }
    for (const slot of this.#mapSlots(shape))
      if (slots[slot] !== undefined) slots[slot] = yield* sortedMapSteps(slots[slot] as PlainObject);
    return struct.build(slots, true);
  }

  /** Slots of the fields that are maps. */
  #mapSlots(shape: StructShape): readonly number[] {
    let slots = this.#maps.get(shape);
    if (slots === undefined) {
      slots = [...shape.flatFields.entries()].flatMap(([slot, { type }]) => (type.kind === "map" ? slot : []));
      this.#maps.set(shape, slots);
    }
    return slots;
  }

  /** Fields that are structs or lists of structs, by field number. */
  #structPlaces(shape: StructShape): ReadonlyMap<number, StructPlace> {
    let places = this.#places.get(shape);
    if (places === undefined) {
      const found = new Map<number, StructPlace>();
      let slot = 0;
      for (const { name, number, type } of shape.fields) {
        const inner = type.kind === "list" && !type.message ? type.element : type;
        if (name !== "" && number !== undefined && inner.kind === "struct")
          found.set(number, { slot, type: inner, isList: inner !== type });
        slot += name === "" && type.kind === "struct" ? type.flatFields.length : 1;
      }
      this.#places.set(shape, (places = found));
    }
    return places;
  }

  #struct(shape: StructShape): StructReader {
    const known = this.#structs.get(shape);
    if (known !== undefined) return known;
    let fields: readonly (FieldReader | undefined)[] | undefined;
    let finishers: readonly Finisher[] | undefined;
    const struct: StructReader = {
      size: lazy(() => shape.flatFields.length),
      read: (reader, slots, base) => {
        while (!reader.atEnd) struct.readField(reader.uint32(), reader, slots, base);
      },
      readField: (tag, reader, slots, base) => {
        fields ??= this.#fields(shape);
        const number = Math.floor(tag / 8);
        const field = fields[number];
        if (number === 0) throw new ProtobufError(`proto: ${shape.name}: illegal tag 0 (wire type ${tag & 7})`);
        if (field === undefined) reader.skip(tag & 7, number);
        else field(reader, slots, base, tag & 7);
      },
      open: (reader, earlier) => {
        const slots = new Array<unknown>(struct.size());
        if (earlier === undefined) return slots;
        finishers ??= shape.flatFields.map(finisher);
        for (let i = 0; i < finishers.length; i++) {
          const field = finishers[i] as Finisher;
          const value = getOwn(earlier as PlainObject, field.name);
          if (field.isMap) reader.mergeAgain(Object.keys(value ?? {}).length);
          if (field.keepsZero || !isEmpty(value)) slots[i] = value;
        }
        reader.mergeAgain(finishers.length);
        return slots;
      },
      build: (slots, mapsAreSorted = false) => {
        finishers ??= shape.flatFields.map(finisher);
        const object: PlainObject = {};
        for (let i = 0; i < finishers.length; i++) {
          const field = finishers[i] as Finisher;
          const value = slots[i];
          // A map in a slot always has an entry. It is not checked, because V8 would list all keys of a large object to find out whether it is empty.
          if (value !== undefined && (field.isMap || field.keepsZero || !isEmpty(value))) {
            object[field.name] = field.isMap && !mapsAreSorted ? sortedMap(value as PlainObject) : value;
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
    const read = type.kind === "struct" ? this.#message(type) : this.#value(type);
    const expected = wireTypeOf(type);
    return (reader, slots, base, wireType) => {
      expectWireType(wireType, expected, owner, name);
      slots[base + slot] = read(reader, slots[base + slot]);
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
      // Repeated numbers may be packed.
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

  #message(type: StructShape): (reader: WireReader, earlier: unknown) => unknown {
    const struct = this.#struct(type);
    return (reader, earlier) => {
      const outer = reader.enter();
      const slots = struct.open(reader, earlier);
      struct.read(reader, slots, 0);
      reader.leave(outer);
      return struct.build(slots);
    };
  }

  #value(type: Shape): ValueReader {
    switch (type.kind) {
      case "struct": {
        const read = this.#message(type);
        return (reader) => read(reader, undefined);
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
        return type.scalar.startsWith("schemaOr")
          ? this.#schemaOrOther(type)
          : SCALAR_READERS[type.scalar as PlainScalar];
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

interface StructPlace {
  readonly slot: number;
  readonly type: StructShape;
  readonly isList: boolean;
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

/** Returns a map with sorted keys. Most clients send them sorted already. */
function sortedMap(map: PlainObject): PlainObject {
  const keys = Object.keys(map);
  if (isSortedUtf8(keys)) return map;
  const output: PlainObject = {};
  for (const key of keys.sort(compareUtf8)) setOwn(output, key, map[key]);
  return output;
}

/** Like `sortedMap`, for many keys; can be interrupted. */
function* sortedMapSteps(map: PlainObject): Steps<PlainObject> {
  yield;
  const keys = Object.keys(map);
  yield;
  if (isSortedUtf8(keys)) return map;
  const output: PlainObject = {};
  let count = 0;
  for (const key of yield* sortUtf8Steps(keys)) {
    if (++count % FIELDS_PER_STEP === 0) yield;
    setOwn(output, key, map[key]);
  }
  return output;
}

function expectWireType(actual: number, expected: number, owner: string, field: string): void {
  if (actual !== expected) throw new ProtobufError(`proto: wrong wireType = ${actual} for field ${owner}.${field}`);
}
