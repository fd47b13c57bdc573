import { sortUtf8 } from "../lib/compare-utf8.ts";
import { noteGivenAmount } from "../lib/given-amounts.ts";
import { carryGivenEmpties, noteGivenEmpty, noteUnsaid } from "../lib/given-empties.ts";
import { goQuote } from "../lib/go-quote.ts";
import { isJsonObject, setOwn } from "../lib/json-object.ts";
import { noteAmounts } from "../lib/known-amounts.ts";
import { absentValue, isEmpty, keepsZero, zeroValue } from "./absent-value.ts";
import { quantityText, scalarDecoder } from "./decode-scalar.ts";
import { inFieldOrder } from "./field-order.ts";
import { throwFirstAbort } from "./first-abort.ts";
import { DecodeError } from "./schema-errors.ts";
import type { FieldShape, ListShape, MapShape, Shape, StructShape } from "./shape.ts";
import { TypeMismatch } from "./type-mismatch.ts";
import type { DecodeOptions, PlainObject } from "./type-schema.ts";

const NOTHING = {};

/** What travels along one decoding. Paths are not: problems and errors are prefixed while the calls unwind. */
export interface DecodeContext {
  readonly problems: string[] | undefined;
  readonly duplicates: ReadonlyMap<object, readonly string[]> | undefined;
  readonly given: boolean;
  readonly restores: boolean;
  readonly textOf: DecodeOptions["textOf"] | undefined;
}

/** Never called with undefined or null: those are the caller's absent value. */
export type Decoder = (value: unknown, context: DecodeContext) => unknown;

/**
 * Compiles the decoders of shapes, each named struct once. What they return is what Go would print after reading the
 * input into its struct and storing it: unknown keys and nulls gone, zero values dropped or written as the field says,
 * keys in declared order (maps: sorted), times and quantities canonical.
 */
export class DecoderCompiler {
  readonly #structs = new Map<StructShape, Decoder>();

  /** Decodes a whole document; errors are `DecodeError`. Null is an object with nothing set. */
  document(shape: StructShape): (value: unknown, options?: DecodeOptions) => PlainObject {
    const decode = this.of(shape);
    return (value, options) => {
      const firstRestored = (error: unknown) => errorOf(() => decode(inFieldOrder(shape, value), context)) ?? error;
      const problems = options?.problems === undefined ? undefined : ([] as string[]);
      const context = {
        problems,
        duplicates: options?.duplicates,
        given: options?.given === true,
        restores: options?.restores === true,
        textOf: options?.textOf,
      };
      try {
        const object = decode(value ?? NOTHING, context) as PlainObject;
        if (problems !== undefined) options?.problems?.push(...new Set(problems));
        return object;
      } catch (error) {
        throw asDecodeError(context.restores ? firstRestored(error) : this.#firstTold(shape, value, error));
      }
    };
  }

  /** Which of the mistakes in a document Go tells of, given the first one. */
  #firstTold(shape: StructShape, value: unknown, first: unknown): unknown {
    if (first instanceof RangeError) return first;
    return errorOf(() => throwFirstAbort(shape, value, (scalar) => this.of(scalar))) ?? first;
  }

  of(shape: Shape): Decoder {
    switch (shape.kind) {
      case "scalar":
        return scalarDecoder(shape, (inner) => this.of(inner));
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
    return (value, context) => {
      if (!isJsonObject(value)) throw new TypeMismatch(value, shape.goType, "struct");
      const input = value as PlainObject;
      const output: PlainObject = {};
      const decoded = new Array<unknown>(fields.length);
      const repeated = repeatedKeys(input, context);
      let key = "";
      try {
        for (key in input) {
          const place = places.get(key);
          const given = input[key];
          // Repeated keys count where they mean something: declared fields of a struct, any key of a map.
          if (repeated?.has(key) && place !== undefined) report(context, "duplicate", key);
          if (place === undefined) {
            if (!keepsUnknown) report(context, "unknown", key);
          } else if (given !== null && given !== undefined) {
            const field = fields[place] as CompiledField;
            // Most fields are texts, which need no more than a look.
            if (field.isText && typeof given === "string")
              decoded[place] = given !== "" || field.keepsZero ? given : undefined;
            else {
              decoded[place] = decodeField(field, given, context);
              if (context.given && field.isAmount) noteAmount(output, key, given, decoded[place], context);
              if (context.given && field.holdsMany && decoded[place] === undefined)
                noteGivenEmpty(output, key, typeof given === "string" ? "" : given);
            }
          }
        }
      } catch (error) {
        if (error instanceof TypeMismatch) error.within(shape.name, key);
        throw error;
      }
      for (let i = 0; i < fields.length; i++) {
        const field = fields[i] as CompiledField;
        if (decoded[i] !== undefined) output[field.name] = decoded[i];
        else if (field.always) {
          output[field.name] = field.absent();
          if (context.given && field.isAmount) noteUnsaid(output, field.name);
        }
      }
      if (context.given) carryGivenEmpties(input, output);
      if (keepsUnknown) keepUnknown(input, output, places);
      return output;
    };
  }

  #field(field: FieldShape): CompiledField {
    const { name, type, always } = field;
    return {
      name,
      always,
      absent: absentValue(field),
      decode: this.of(type),
      keepsZero: keepsZero(field),
      isText: type.kind === "scalar" && type.scalar === "string",
      isAmount: type.kind === "scalar" && type.scalar === "quantity",
      holdsMany: type.kind !== "struct" && (type.kind !== "scalar" || type.scalar === "bytes"),
      hasInside: type.kind !== "scalar" || type.scalar.startsWith("schemaOr"),
    };
  }

  #list(shape: ListShape): Decoder {
    const decode = this.of(shape.element);
    const isText = shape.element.kind === "scalar" && shape.element.scalar === "string";
    return (value, context) => {
      if (!Array.isArray(value)) throw new TypeMismatch(value, shape.goType, "slice");
      const output = new Array<unknown>(value.length);
      for (let i = 0; i < value.length; i++) {
        const item: unknown = value[i];
        if (isText && typeof item === "string") output[i] = item;
        else if (item === null || item === undefined) output[i] = zeroValue(shape.element);
        else output[i] = decodeWithin(i, decode, item, context);
      }
      return output;
    };
  }

  #map(shape: MapShape): Decoder {
    const decode = this.of(shape.element);
    const holdsAmounts = shape.element.kind === "scalar" && shape.element.scalar === "quantity";
    return (value, context) => {
      if (!isJsonObject(value)) throw new TypeMismatch(value, shape.goType, "map");
      const input = value as PlainObject;
      const read = (key: string): unknown => {
        const item = input[key];
        if (item === null || item === undefined) return zeroValue(shape.element);
        // Where Go fills structs from maps it forgets which entry of a map it is at.
        return context.restores ? decode(item, context) : decodeWithin(key, decode, item, context);
      };
      // Mistakes are told in the order of the document.
      const items: PlainObject = {};
      const repeated = repeatedKeys(input, context);
      for (const key of Object.keys(input)) {
        if (repeated?.has(key)) report(context, "duplicate", key);
        setOwn(items, key, read(key));
      }
      const output: PlainObject = {};
      for (const key of sortUtf8(Object.keys(items))) setOwn(output, key, items[key]);
      if (context.given && holdsAmounts) {
        noteAmounts(output);
        for (const key of Object.keys(input)) noteAmount(output, key, input[key], output[key], context);
        carryGivenEmpties(input, output);
      }
      return output;
    };
  }
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
  readonly decode: Decoder;
  readonly keepsZero: boolean;
  readonly isText: boolean;
  readonly isAmount: boolean;
  /** Whether it is a list, a map or bytes. */
  readonly holdsMany: boolean;
  /** Whether problems can be found inside its value. */
  readonly hasInside: boolean;
}

/** Amounts that are written in another form than they were given in are remembered as given. */
function noteAmount(
  holder: object,
  key: string,
  given: unknown,
  decoded: unknown,
  { restores }: Pick<DecodeContext, "restores">,
): void {
  if (typeof decoded === "string") noteAmounts(holder, key);
  if (given === decoded) return;
  noteGivenAmount(holder, key, given === null || given === undefined ? null : quantityText(given, restores));
}

/** Undefined when the value comes to nothing and is left out. */
function decodeField(field: CompiledField, value: unknown, context: DecodeContext): unknown {
  const decoded = field.hasInside
    ? decodeWithin(field.name, field.decode, value, context)
    : field.decode(value, context);
  return field.keepsZero || !isEmpty(decoded) ? decoded : undefined;
}

/** Decodes a part and adds its name or place to the path of problems found inside it. */
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

/** More problems than this Kubernetes does not gather. */
const MAX_PROBLEMS = 100;

function report(context: DecodeContext, what: "unknown" | "duplicate", key: string): void {
  if (context.problems !== undefined && context.problems.length < MAX_PROBLEMS) {
    // Where Go fills structs from maps it puts quotes around names without a look at them.
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
