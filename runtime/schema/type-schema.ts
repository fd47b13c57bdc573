import type { CelSchema } from "../cel/schema/cel-schema.ts";
import type { FieldError } from "../contract/field-error.ts";
import type { MergeType } from "../contract/merge-schema.ts";
import type { TypeRef } from "../contract/type-table.ts";
import type { Steps } from "../lib/in-turns.ts";

/** A JSON object as the server holds it. Integers beyond 2^53 are bigint; bytes are base64; times are RFC 3339. */
export type PlainObject = { [key: string]: unknown };

/**
 * Keys that appeared more than once in a JSON object, by the object that had them. Parsers fill it; strict decoding
 * reports those that belong to known structs and maps, as Kubernetes does.
 */
export type DuplicateKeys = ReadonlyMap<object, readonly string[]>;

export interface DecodeOptions {
  /**
   * Gathers `unknown field "spec.foo"` and `duplicate field "spec.bar"`, in document order and each once. Without it
   * unknown fields are dropped silently.
   */
  readonly problems?: string[];
  readonly duplicates?: DuplicateKeys;
  /** Notes what Go knows of the source (`go/source-notes.ts`): for values of a request, never for stored ones. */
  readonly given?: boolean;
  /** The value was merged, not read: whole numbers become integers of 32 bits as Go converts them, cut off if too big. */
  readonly restores?: boolean;
  /** Parts of the value that are canonical become parts of the result: for values that no other code changes or holds. */
  readonly reuses?: boolean;
  /** The text of raw data in the value, where it is not the one that the server would write (`encoding/json/raw-text.ts`). */
  readonly textOf?: (raw: object) => string | undefined;
  /** Maps and structs in the value that are canonical, and become parts of the result. */
  readonly ready?: ReadonlySet<object> | undefined;
}

export type CanonicalOptions = Pick<DecodeOptions, "given" | "restores" | "reuses" | "ready">;

/** Everything the server does with one type. Each part is compiled on first use and kept. */
export interface TypeSchema<T extends object = PlainObject> {
  readonly ref: TypeRef;
  /** Whether errors speak of fields and expected types, as those of the project's own kinds do, rather than in the words of Kubernetes. */
  readonly tellsByField?: boolean;
  /**
   * Turns a parsed value into a canonical object of the type: what a real server would return after storing it. Types
   * are always checked; fields come in declared order. The input is not changed; parts without a schema (raw objects) are
   * shared with it. Beware: a list or map that is always written is null when it is empty (`containers: null`), as on a
   * real server; code that walks one writes `?? []`. Throws `DecodeError` with Go's words when a value does not fit its type.
   */
  decode(value: unknown, options?: DecodeOptions): T;
  /** `decode` of a large value, which may be interrupted; absent where `decode` takes few passes. */
  decodeSteps?(value: unknown, options?: DecodeOptions): Steps<T>;
  /** The same for an object known to fit the type, after hooks, patches or conversions changed it. */
  canonicalize(object: T, options?: CanonicalOptions): T;
  /** `canonicalize` of a large object; may be interrupted. Absent where it takes few passes. */
  canonicalizeSteps?(object: T, options?: CanonicalOptions): Steps<T>;
  /** The object with nothing set: required fields at their zero values. */
  emptyObject(): T;
  /** Fills in declared defaults, in place. Idempotent. */
  applyDefaults(object: T): void;
  /**
   * Removes fields whose feature gate is off, in place, unless the object before uses them. Give the same function for the
   * same setting of the gates: its results are cached.
   */
  dropDisabledFields(object: T, old: T | undefined, isEnabled: (gate: string) => boolean): void;
  /** Checks markers and rules of a canonical object. */
  validate(object: T): FieldError[];
  /** As `validate`, plus what compares with the object before: immutable fields and transition rules. */
  validateUpdate(object: T, old: T): FieldError[];
  /** Kubernetes' protobuf bytes of the message alone; `encodeEnvelope` wraps them. */
  encodeProtobuf(object: T): Uint8Array;
  /** The same for a large object; may be interrupted. Absent where there is no protobuf. */
  encodeProtobufSteps?(object: T): Steps<Uint8Array>;
  /**
   * Loads what turns the canonical JSON of an object into what `encodeProtobuf` returns for the object, without parsing it. It returns
   * undefined for JSON that has to be parsed. Absent where there is no protobuf.
   */
  loadTranscoder?(): Promise<(json: Buffer) => Uint8Array | undefined>;
  /** The canonical object in a protobuf message. Throws `ProtobufError` on malformed input. */
  decodeProtobuf(bytes: Uint8Array): T;
  /** The same for a large message; may be interrupted. Absent where there is no protobuf. */
  decodeProtobufSteps?(bytes: Uint8Array): Steps<T>;
  readonly mergeType: MergeType;
  /** The type as CEL expressions see it. */
  readonly celSchema: CelSchema;
}

export interface Schemas {
  /** The schema of a named struct, e.g. `apps/v1.Deployment`. Throws `UnknownTypeError` for an undeclared name. */
  of<T extends object = PlainObject>(ref: TypeRef): TypeSchema<T>;
}
