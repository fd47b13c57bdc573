import { JsonTape } from "../encoding/json/json-tape.ts";
import { LastDocument } from "../encoding/json/last-document.ts";
import { WIRE_BYTES } from "../encoding/protobuf/wire-reader.ts";
import { WireWriter } from "../encoding/protobuf/wire-writer.ts";
import { type ProtobufEncoderCompiler, tagOf } from "./encode-protobuf.ts";
import { FieldNames } from "./field-names.ts";
import type { FieldShape, ListShape, MapShape, ScalarShape, Shape, StructShape } from "./shape.ts";
import { TokenValues, UNSET } from "./token-values.ts";
import { wireTypeOf } from "./wire-type.ts";

/** Writes the value of a token without its tag. Writes the zero value for `UNSET`. */
type TokenWriter = (token: number) => void;
/** Writes a field including its tag, or nothing. An inlined struct uses the token of the enclosing object. */
type FieldWriter = (token: number, object: number) => void;

/** The last document of a type. */
interface Recent {
  readonly shape: StructShape;
  readonly last: LastDocument;
}

/** Number of types whose last documents are kept. Each may take 128 KiB. */
const MOST_RECENT = 4;
/** Longer documents are not transcoded but parsed. */
const MOST_BYTES = 64 * 1024;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
const KEY_TAG = tagOf(1, WIRE_BYTES);

/**
 * Converts stored JSON to the protobuf that `ProtobufEncoderCompiler` writes for the parsed object, without parsing the JSON. Bytes of strings
 * are copied, and fields that equal those of the previous JSON of the same type are copied from its message. Rare values, such as strings
 * with escapes, are parsed individually and passed to that encoder.
 */
export class ProtobufTranscoder {
  readonly #encoders: ProtobufEncoderCompiler;
  readonly #structs = new Map<StructShape, TokenWriter>();
  /** Last documents of the types that were written most recently, latest first. Watches may alternate between types. */
  readonly #recent: Recent[] = [];
  readonly #tape = new JsonTape(MOST_BYTES);
  readonly #writer = new WireWriter(16_384);
  readonly #values = new TokenValues(this.#tape);
  /** Tokens of the fields, list elements and map entries that are being written. */
  #stack = new Int32Array(4096);
  #top = 0;
  /** Number of copying writers so far. Used for their ids. */
  #copying = 0;
  /** The last document of the type that is being written. */
  #last = new LastDocument(0);
  /** Set if a value was not read because it equals the previous one, but the previous one was written by a different writer. */
  #isUnread = false;

  constructor(encoders: ProtobufEncoderCompiler) {
    this.#encoders = encoders;
  }

  /** Compiles the conversion from the canonical JSON of an object to its message. It returns undefined for JSON that must be parsed. */
  message(shape: StructShape): (json: Buffer) => Buffer | undefined {
    const write = this.#fields(shape);
    return (json) => {
      this.#last = this.#lastOf(shape);
      const message = this.#write(json, write);
      if (!this.#isUnread) return message;
      this.#last.forget();
      return this.#write(json, write);
    };
  }

  #lastOf(shape: StructShape): LastDocument {
    const recent = this.#recent;
    const found = recent.findIndex((each) => each.shape === shape);
    if (found === 0) return (recent[0] as Recent).last;
    // If the type is not found and no more are kept, the oldest entry is reused.
    const [taken] = found > 0 || recent.length === MOST_RECENT ? recent.splice(found, 1) : [];
    if (found < 0) taken?.last.forget();
    const last = taken?.last ?? new LastDocument(MOST_BYTES);
    recent.unshift({ shape, last });
    return last;
  }

  #write(json: Buffer, write: TokenWriter): Buffer | undefined {
    this.#isUnread = false;
    if (!this.#tape.read(json, this.#last) || json[0] !== OPEN_OBJECT) return undefined;
    this.#values.json = json;
    try {
      write(0);
      const message = this.#writer.take();
      this.#last.replace(json, message);
      return message;
    } catch (error) {
      this.#last.forget();
      throw error;
    } finally {
      this.#writer.reset();
      this.#top = 0;
    }
  }

  /** Writes the fields of an object, without the length of the message. */
  #fields(shape: StructShape): TokenWriter {
    let known = this.#structs.get(shape);
    if (known === undefined) {
      let compiled: TokenWriter | undefined;
      // Compiled on first use, because types are recursive.
      known = (token) => {
        compiled ??= this.#compile(shape);
        compiled(token);
      };
      this.#structs.set(shape, known);
    }
    return known;
  }

  #compile(shape: StructShape): TokenWriter {
    const fields = shape.fields
      .filter((field) => field.number !== undefined)
      .sort((a, b) => (a.number as number) - (b.number as number));
    const writers = fields.map((field) => this.#field(field, field.number as number));
    const names = new FieldNames(fields.map(({ name }) => name));
    const count = fields.length;
    const isWrittenUnset = Uint8Array.from(fields, (field) => (writesUnset(field) ? 1 : 0));
    const { starts, ends, nexts } = this.#tape;
    const values = this.#values;
    return (token) => {
      const base = this.#reserve(count);
      const stack = this.#stack;
      for (let i = base; i < base + count; i++) stack[i] = UNSET;
      const { json } = values;
      for (let key = token + 1, end = nexts[token] as number; key < end; ) {
        const value = key + 1;
        const place = names.find(json, (starts[key] as number) + 1, (ends[key] as number) - 1);
        if (place >= 0 && !values.isNull(value)) stack[base + place] = value;
        key = nexts[value] as number;
      }
      for (let i = count - 1; i >= 0; i--) {
        // Read through `#stack`, which may be reallocated while a field is written.
        const value = this.#stack[base + i] as number;
        if (value !== UNSET || isWrittenUnset[i] === 1) (writers[i] as FieldWriter)(value, token);
      }
      this.#top = base;
    };
  }

  /** Reserves entries on the stack. Returns the index of the first one. */
  #reserve(count: number): number {
    const base = this.#top;
    this.#top += count;
    if (this.#top > this.#stack.length) {
      const larger = new Int32Array(this.#top * 2);
      larger.set(this.#stack);
      this.#stack = larger;
    }
    return base;
  }

  #push(token: number): void {
    this.#stack[this.#reserve(1)] = token;
  }

  /** Returns a writer that is called for a field if it is set, or if it is written even when unset. */
  #field({ name, type }: FieldShape, number: number): FieldWriter {
    const writer = this.#writer;
    if (name === "") {
      const write = this.#object(type as StructShape);
      const tag = tagOf(number, WIRE_BYTES);
      return (_token, object) => {
        write(object);
        writer.varint(tag);
      };
    }
    if (type.kind === "list" && !type.message) return this.#copied(this.#repeated(number, type));
    if (type.kind === "map") return this.#copied(this.#entries(number, type));
    return this.#tagged(type, number);
  }

  /** Returns the writer of a value including its tag. */
  #tagged(type: Shape, number: number): TokenWriter {
    const writer = this.#writer;
    const write = this.#value(type);
    const tag = tagOf(number, wireTypeOf(type));
    const tagged: TokenWriter = (token) => {
      write(token);
      writer.varint(tag);
    };
    return type.kind === "scalar" && type.scalar !== "fieldsV1" ? tagged : this.#copied(tagged);
  }

  /** Returns a writer that copies its previous output if the value is unchanged. */
  #copied(write: TokenWriter): TokenWriter {
    const id = ++this.#copying;
    const writer = this.#writer;
    const { starts, ends, places } = this.#tape;
    return (token) => {
      const last = this.#last;
      const place = token === UNSET ? 0 : (places[token] as number);
      const before = writer.length;
      if (place >= 0) write(token);
      else if (!last.copy(~place, id, writer)) this.#isUnread = true;
      if (place === 0) return;
      const [start, end] = [starts[token] as number, ends[token] as number];
      last.note(place < 0 ? ~place : place, id, start, end, before, writer.length);
    };
  }

  #repeated(number: number, { element }: ListShape): TokenWriter {
    const { nexts } = this.#tape;
    const write = this.#tagged(element, number);
    return (token) => {
      if (token === UNSET) return;
      this.#values.expect(token, OPEN_LIST);
      if (this.#tape.isOpaque(token)) {
        this.#isUnread = true;
        return;
      }
      const base = this.#top;
      for (let each = token + 1, end = nexts[token] as number; each < end; each = nexts[each] as number) {
        this.#push(this.#values.isNull(each) ? UNSET : each);
      }
      for (let i = this.#top - 1; i >= base; i--) write(this.#stack[i] as number);
      this.#top = base;
    };
  }

  #entries(number: number, type: MapShape): TokenWriter {
    const writer = this.#writer;
    const write = this.#value(type.element);
    const tag = tagOf(number, WIRE_BYTES);
    const valueTag = tagOf(2, wireTypeOf(type.element));
    const encode = this.#encoders.entries(number, type);
    const { nexts } = this.#tape;
    return (token) => {
      this.#values.expect(token, OPEN_OBJECT);
      if (this.#tape.isOpaque(token) || !this.#values.isSorted(token)) {
        encode(this.#values.parsed(token), writer);
        return;
      }
      const base = this.#top;
      for (let key = token + 1, end = nexts[token] as number; key < end; key = nexts[key + 1] as number)
        this.#push(key);
      for (let i = this.#top - 1; i >= base; i--) {
        const key = this.#stack[i] as number;
        const before = writer.length;
        write(this.#values.isNull(key + 1) ? UNSET : key + 1);
        writer.varint(valueTag);
        this.#string(key);
        writer.varint(KEY_TAG);
        writer.varint(writer.length - before);
        writer.varint(tag);
      }
      this.#top = base;
    };
  }

  /** Returns the writer of a value without its tag. Nested messages include their length. */
  #value(type: Shape): TokenWriter {
    if (type.kind === "struct") return this.#object(type);
    if (type.kind === "scalar") return this.#scalar(type);
    if (type.kind === "map") throw new TypeError("a map has no wire form outside a field");
    const items = this.#repeated(1, type);
    return this.#nested(items);
  }

  #object(type: StructShape): TokenWriter {
    const fields = this.#fields(type);
    const writer = this.#writer;
    const encode = this.#encoders.value(type);
    return (token) => {
      if (token === UNSET) {
        encode(undefined, writer);
        return;
      }
      this.#values.expect(token, OPEN_OBJECT);
      if (this.#tape.isOpaque(token)) {
        encode(this.#values.parsed(token), writer);
        return;
      }
      const before = writer.length;
      fields(token);
      writer.varint(writer.length - before);
    };
  }

  #nested(write: TokenWriter): TokenWriter {
    const writer = this.#writer;
    return (token) => {
      const before = writer.length;
      write(token);
      writer.varint(writer.length - before);
    };
  }

  #scalar(type: ScalarShape): TokenWriter {
    const writer = this.#writer;
    const encode = this.#encoders.value(type);
    const parsed: TokenWriter = (token) => encode(token === UNSET ? undefined : this.#values.parsed(token), writer);
    switch (type.scalar) {
      case "string":
        return (token) => this.#string(token);
      case "boolean":
        return (token) => writer.bool(token !== UNSET && this.#values.isTrue(token));
      case "int32":
      case "int64":
        return (token) => {
          const value = this.#values.digits(token);
          if (value < 0) parsed(token);
          else writer.varint(value);
        };
      case "time":
        return (token) => encode(token === UNSET ? undefined : this.#values.plainText(token), writer);
      case "quantity":
        return (token) => {
          if (token === UNSET) {
            encode(undefined, writer);
            return;
          }
          const before = writer.length;
          this.#string(token);
          writer.varint(tagOf(1, WIRE_BYTES));
          writer.varint(writer.length - before);
        };
      case "fieldsV1":
        return (token) => this.#rawText(token);
      default:
        return parsed;
    }
  }

  #string(token: number): void {
    if (token === UNSET) {
      this.#writer.varint(0);
      return;
    }
    const { starts, ends, escaped } = this.#tape;
    if (escaped[token] === 1) {
      this.#writer.string(this.#values.parsed(token) as string);
      return;
    }
    const start = (starts[token] as number) + 1;
    const end = (ends[token] as number) - 1;
    this.#writer.range(this.#values.json, start, end);
    this.#writer.varint(end - start);
  }

  /** Writes a message whose only field is the JSON of the value. */
  #rawText(token: number): void {
    const writer = this.#writer;
    const before = writer.length;
    if (token !== UNSET) {
      const [start, end] = [this.#tape.starts[token] as number, this.#tape.ends[token] as number];
      writer.range(this.#values.json, start, end);
      writer.varint(end - start);
      writer.varint(tagOf(1, WIRE_BYTES));
    }
    writer.varint(writer.length - before);
  }
}

/** Whether a field is written even if it has no value: as the zero value, or because its fields are inlined. */
function writesUnset({ name, type, tracked }: FieldShape): boolean {
  if (name === "") return true;
  if (type.kind === "map" || (type.kind === "list" && !type.message)) return false;
  return !tracked && !(type.kind === "scalar" && type.scalar === "bytes");
}
