import type { Markers } from "../contract/type-table.ts";
import { goQuote } from "../go/quote.ts";
import { carryNotes, noteGivenEmpty, noteGivenQuantity, noteNotGiven, noteQuantities } from "../go/source-notes.ts";
import { append } from "../lib/append.ts";
import { compareUtf8, isSortedUtf8 } from "../lib/compare-utf8.ts";
import { isJsonObject, setOwn } from "../lib/json-object.ts";
import { absentValue, isEmpty, keepsZero, zeroValue } from "./absent-value.ts";
import { quantityText, scalarDecoder } from "./decode-scalar.ts";
import type { DecodeContext, Decoder } from "./decoder.ts";
import { inFieldOrder } from "./field-order.ts";
import { throwFirstAbort } from "./first-abort.ts";
import { DecodeError, type WrongField } from "./schema-errors.ts";
import type { FieldShape, ListShape, MapShape, Shape, StructShape } from "./shape.ts";
import { TypeMismatch } from "./type-mismatch.ts";
import type { DecodeOptions, PlainObject } from "./type-schema.ts";
import { describeWrong, wrongFields } from "./wrong-fields.ts";

const NOTHING = {};

/**
 * Compiles the decoders of shapes, each named struct once. A decoder returns what Go would print after it has read the input into its struct
 * and stored it: without unknown keys and nulls, zero values omitted or written as the field requires, keys in declared order (maps: sorted),
 * times and quantities canonical.
 */
export class DecoderCompiler {
  readonly #structs = new Map<StructShape, Decoder>();

  /**
   * Compiles the decoder of a whole document. Null is decoded as an object with no fields set. Throws `DecodeError` with Go's message, or with
   * fields and expected types if `byField` is set.
   */
  document(shape: StructShape, byField = false): (value: unknown, options?: DecodeOptions) => PlainObject {
    const decode = this.of(shape);
    return (value, options) => {
      const firstRestored = (error: unknown) => errorOf(() => decode(inFieldOrder(shape, value), context)) ?? error;
      const problems = options?.problems === undefined ? undefined : ([] as string[]);
      const context = {
        problems,
        duplicates: options?.duplicates,
        given: options?.given === true,
        // Kubernetes truncates large integers of applied objects of built-in kinds. For own kinds they are errors, as in custom resources.
        restores: options?.restores === true && !byField,
        reuses: options?.reuses === true,
        textOf: options?.textOf,
        ready: options?.ready,
      };
      try {
        const object = decode(value ?? NOTHING, context) as PlainObject;
        if (problems !== undefined && options?.problems !== undefined) append(options.problems, new Set(problems));
        return object;
      } catch (error) {
        const wrong = byField && !(error instanceof RangeError) ? this.#wrongFields(shape, value, context) : [];
        if (wrong.length > 0) throw new DecodeError(describeWrong(wrong), describeWrong(wrong), wrong);
        throw asDecodeError(context.restores ? firstRestored(error) : this.#firstTold(shape, value, error));
      }
    };
  }

  #wrongFields(shape: StructShape, value: unknown, context: DecodeContext): WrongField[] {
    return wrongFields(shape, value, { ...context, problems: undefined }, (scalar) => this.of(scalar));
  }

  /** Returns the error that Go reports for a document, given the first error found. */
  #firstTold(shape: StructShape, value: unknown, first: unknown): unknown {
    if (first instanceof RangeError) return first;
    return errorOf(() => throwFirstAbort(shape, value, (scalar) => this.of(scalar))) ?? first;
  }

  of(shape: Shape, markers: Markers = shape.markers): Decoder {
    switch (shape.kind) {
      case "scalar": {
        const decode = scalarDecoder(shape, (inner) => this.of(inner));
        return markers.embeddedObject ? (value, context) => decode(withoutNullMetadata(value), context) : decode;
      }
      case "list":
        return this.#list(shape);
      case "map":
        return this.#map(shape);
      case "struct":
        return this.#struct(shape);
    }
  }

  /** Recursive types refer to their own decoder before it exists, hence the indirection. */
  #struct(shape: StructShape): Decoder {
    const known = this.#structs.get(shape);
    if (known !== undefined) return known;
    let compiled: Decoder | undefined;
    const decoder: Decoder = (value, context) => (compiled ??= this.#compileStruct(shape))(value, context);
    this.#structs.set(shape, decoder);
    return decoder;
  }

  #compileStruct(shape: StructShape): Decoder {
    const fields = shape.flatFields.map((field) => this.#field(field));
    const places = new Map(fields.map((field, index) => [field.name, index]));
    const keepsUnknown = shape.markers.preserveUnknown === true;
    const alwaysWritten = fields.filter(({ always }) => always).length;
    const notesAmounts = fields.some(({ isAmount }) => isAmount);
    return (value, context) => {
      if (!isJsonObject(value)) throw new TypeMismatch(value, shape.goType, "struct");
      const input = value as PlainObject;
      if (context.ready?.has(input)) return input;
      const reuses = context.reuses && !(notesAmounts && context.given);
      // The output is created only when it first differs from the input.
      let decoded = reuses ? undefined : new Array<unknown>(fields.length);
      let output: PlainObject | undefined;
      let last = -1;
      let always = 0;
      const repeated = repeatedKeys(input, context);
      let key = "";
      try {
        for (key in input) {
          const place = places.get(key);
          const given = input[key];
          // Repeated keys are reported only where they have a meaning: declared fields of a struct, any key of a map.
          if (repeated?.has(key) && place !== undefined) report(context, "duplicate", key);
          if (place === undefined) {
            decoded ??= decodedBefore(key, input, places);
            if (!keepsUnknown) report(context, "unknown", key);
            continue;
          }
          const field = fields[place] as CompiledField;
          let read: unknown;
          if (given === null || given === undefined) read = field.isNullWhenAbsent ? null : undefined;
          // Fast path: most fields are strings.
          else if (field.isText && typeof given === "string")
            read = given !== "" || field.keepsZero ? given : undefined;
          else read = decodeField(field, given, context);
          if (decoded === undefined && read === given && given !== undefined && place > last) {
            last = place;
            if (field.always) always++;
            continue;
          }
          decoded ??= decodedBefore(key, input, places);
          decoded[place] = read;
          if (!context.given || given === null || given === undefined) continue;
          if (field.isAmount) noteAmount((output ??= {}), key, given, read, context);
          if (field.holdsMany && read === undefined)
            noteGivenEmpty((output ??= {}), key, typeof given === "string" ? "" : given);
        }
      } catch (error) {
        if (error instanceof TypeMismatch) error.within(shape.name, key);
        throw error;
      }
      if (decoded === undefined && always === alwaysWritten) return input;
      decoded ??= decodedBefore(undefined, input, places);
      output ??= {};
      for (let i = 0; i < fields.length; i++) {
        const field = fields[i] as CompiledField;
        if (decoded[i] !== undefined) output[field.name] = decoded[i];
        else if (field.always) {
          output[field.name] = field.absent();
          if (context.given && field.isAmount) noteNotGiven(output, field.name);
        }
      }
      if (context.given) carryNotes(input, output);
      if (keepsUnknown) keepUnknown(input, output, places);
      return output;
    };
  }

  #field(field: FieldShape): CompiledField {
    const { name, type, always } = field;
    const absent = absentValue(field);
    const isAmount = type.kind === "scalar" && type.scalar === "quantity";
    return {
      name,
      always,
      absent,
      isNullWhenAbsent: always && !isAmount && absent() === null,
      decode: type.kind === "map" ? this.#map(type, true) : this.of(type, field.markers),
      // The decoder of a map omits an empty map itself, because V8 would list all keys of a large object to find out whether it is empty.
      keepsZero: type.kind === "map" || keepsZero(field),
      isText: type.kind === "scalar" && type.scalar === "string",
      isAmount,
      holdsMany: type.kind !== "struct" && (type.kind !== "scalar" || type.scalar === "bytes"),
      hasInside: type.kind !== "scalar" || type.scalar.startsWith("schemaOr"),
    };
  }

  #list(shape: ListShape): Decoder {
    const decode = this.of(shape.element);
    const isText = shape.element.kind === "scalar" && shape.element.scalar === "string";
    return (value, context) => {
      if (!Array.isArray(value)) throw new TypeMismatch(value, shape.goType, "slice");
      let output = context.reuses ? undefined : new Array<unknown>(value.length);
      for (let i = 0; i < value.length; i++) {
        const item: unknown = value[i];
        let read: unknown;
        if (isText && typeof item === "string") read = item;
        else if (item === null || item === undefined) read = zeroValue(shape.element);
        else read = decodeWithin(i, decode, item, context);
        if (output === undefined && read !== item) output = value.slice(0, i);
        if (output !== undefined) output[i] = read;
      }
      return output ?? value;
    };
  }

  #map(shape: MapShape, dropsEmpty = false): Decoder {
    const decode = this.of(shape.element);
    const isText = shape.element.kind === "scalar" && shape.element.scalar === "string";
    const holdsAmounts = shape.element.kind === "scalar" && shape.element.scalar === "quantity";
    return (value, context) => {
      if (!isJsonObject(value)) throw new TypeMismatch(value, shape.goType, "map");
      const input = value as PlainObject;
      if (context.ready?.has(input)) return input;
      const read = (key: string): unknown => {
        const item = input[key];
        if (isText && typeof item === "string") return item;
        if (item === null || item === undefined) return zeroValue(shape.element);
        // When Go fills structs from maps, it does not record the key of the map entry.
        return context.restores ? decode(item, context) : decodeWithin(key, decode, item, context);
      };
      // Keys are visited in document order, so that errors are reported in that order.
      const keys = Object.keys(input);
      if (dropsEmpty && keys.length === 0) return undefined;
      const repeated = repeatedKeys(input, context);
      if (isText && context.reuses && repeated === undefined && areTexts(input, keys) && isSortedUtf8(keys))
        return input;
      const items = new Array<unknown>(keys.length);
      let isSame = true;
      for (let i = 0; i < keys.length; i++) {
        const key = keys[i] as string;
        if (repeated?.has(key)) report(context, "duplicate", key);
        items[i] = read(key);
        if (items[i] !== input[key]) isSame = false;
      }
      const output =
        isSame && context.reuses && isSortedUtf8(keys) ? input : sortedObject(keys, items, isSame && input);
      if (context.given && holdsAmounts) {
        noteQuantities(output);
        for (const key of keys) noteAmount(output, key, input[key], output[key], context);
        carryNotes(input, output);
      }
      return output;
    };
  }
}

/** Removes nulls from the metadata of an embedded object, as within custom resources. An apply leaves them where it removes the last field. */
function withoutNullMetadata(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const { metadata } = value as PlainObject;
  if (metadata !== null && !isJsonObject(metadata)) return value;
  const given = Object.entries(metadata ?? NOTHING);
  const set = given.filter(([, member]) => member !== null);
  return metadata !== null && set.length === given.length ? value : { ...value, metadata: Object.fromEntries(set) };
}

function areTexts(input: PlainObject, keys: readonly string[]): boolean {
  for (let i = 0; i < keys.length; i++) if (typeof input[keys[i] as string] !== "string") return false;
  return true;
}

/** Returns the decoded fields before key `end`. Up to there, all fields were in order and equal to the input. */
function decodedBefore(end: string | undefined, input: PlainObject, places: ReadonlyMap<string, number>): unknown[] {
  const decoded = new Array<unknown>(places.size);
  for (const key in input) {
    if (key === end) break;
    decoded[places.get(key) as number] = input[key];
  }
  return decoded;
}

/** Builds an object with sorted keys. If `given` is set, the values are taken from this object, which has the same keys in another order. */
function sortedObject(keys: readonly string[], items: readonly unknown[], given: PlainObject | false): PlainObject {
  const object: PlainObject = {};
  if (isSortedUtf8(keys)) {
    for (let i = 0; i < keys.length; i++) setOwn(object, keys[i] as string, items[i]);
    return object;
  }
  const inOrder = [...keys].sort(compareUtf8);
  if (given) {
    for (const key of inOrder) setOwn(object, key, given[key]);
    return object;
  }
  const itemOf = new Map(keys.map((key, index) => [key, items[index]]));
  for (const key of inOrder) setOwn(object, key, itemOf.get(key));
  return object;
}

function errorOf(read: () => unknown): unknown {
  try {
    read();
    return undefined;
  } catch (error) {
    return error;
  }
}

function asDecodeError(error: unknown): unknown {
  if (error instanceof TypeMismatch) return new DecodeError(error.describe(), error.describeRestoring());
  return error instanceof RangeError ? new DecodeError("exceeded max depth") : error;
}

interface CompiledField {
  readonly name: string;
  readonly always: boolean;
  readonly absent: () => unknown;
  /** Whether the field is written as null when nothing is set. */
  readonly isNullWhenAbsent: boolean;
  readonly decode: Decoder;
  readonly keepsZero: boolean;
  readonly isText: boolean;
  readonly isAmount: boolean;
  /** Whether the value is a list, a map or bytes. */
  readonly holdsMany: boolean;
  /** Whether problems can occur inside the value. */
  readonly hasInside: boolean;
}

/** Records the original form of a quantity if it differs from the canonical form. */
function noteAmount(
  holder: object,
  key: string,
  given: unknown,
  decoded: unknown,
  { restores }: Pick<DecodeContext, "restores">,
): void {
  if (typeof decoded === "string") noteQuantities(holder, key);
  if (given === decoded) return;
  noteGivenQuantity(holder, key, given === null || given === undefined ? null : quantityText(given, restores));
}

/** Decodes a field. Returns undefined if the value is empty and is omitted. */
function decodeField(field: CompiledField, value: unknown, context: DecodeContext): unknown {
  const decoded = field.hasInside
    ? decodeWithin(field.name, field.decode, value, context)
    : field.decode(value, context);
  return field.keepsZero || !isEmpty(decoded) ? decoded : undefined;
}

/** Decodes a part and prepends its name or index to the paths of problems found inside it. */
function decodeWithin(step: string | number, decode: Decoder, value: unknown, context: DecodeContext): unknown {
  const problems = context.problems;
  if (problems === undefined) return decode(value, context);
  const before = problems.length;
  const decoded = decode(value, context);
  if (problems.length > before)
    prefixProblems(problems, before, typeof step === "number" ? `[${step}]` : goQuote(step).slice(1, -1));
  return decoded;
}

/** `unknown field "x"` found inside `spec` becomes `unknown field "spec.x"`; inside `[0]`, `unknown field "[0].x"`. */
function prefixProblems(problems: string[], from: number, prefix: string): void {
  for (let i = from; i < problems.length; i++) {
    const problem = problems[i] as string;
    const quote = problem.indexOf('"') + 1;
    const separator = problem[quote] === "[" ? "" : ".";
    problems[i] = problem.slice(0, quote) + prefix + separator + problem.slice(quote);
  }
}

/** Maximum number of problems that are collected, as in Kubernetes. */
export const MAX_PROBLEMS = 100;

function report(context: DecodeContext, what: "unknown" | "duplicate", key: string): void {
  if (context.problems !== undefined && context.problems.length < MAX_PROBLEMS) {
    // When Go fills structs from maps, it quotes names without escaping them.
    context.problems.push(`${what} field ${context.restores ? `"${key}"` : goQuote(key)}`);
  }
}

function repeatedKeys(input: object, { duplicates }: DecodeContext): ReadonlySet<string> | undefined {
  const keys = duplicates?.get(input);
  return keys === undefined ? undefined : new Set(keys);
}

function keepUnknown(input: PlainObject, output: PlainObject, known: ReadonlyMap<string, number>): void {
  for (const key of Object.keys(input)) if (!known.has(key)) setOwn(output, key, input[key]);
}
