import type { CelSchema } from "../cel/schema/cel-schema.ts";
import type { FieldError } from "../contract/field-error.ts";
import type { MergeType } from "../contract/merge-schema.ts";
import type { TypeRef } from "../contract/type-table.ts";
import type { Steps } from "../lib/in-turns.ts";

/** A JSON object in memory. Integers beyond 2^53 are bigint, bytes are base64, times are RFC 3339. */
export type PlainObject = { [key: string]: unknown };

/**
 * Keys that appeared more than once in a JSON object, by object. Parsers collect them; strict decoding reports those that belong to known
 * structs and maps, as Kubernetes does.
 */
export type DuplicateKeys = ReadonlyMap<object, readonly string[]>;

export interface DecodeOptions {
  /**
   * Collects `unknown field "spec.foo"` and `duplicate field "spec.bar"`, in document order, each once. If absent, unknown fields are dropped
   * without a report.
   */
  readonly problems?: string[];
  readonly duplicates?: DuplicateKeys;
  /** Records notes about the source that Go would keep (`go/source-notes.ts`). Set for values of requests, never for stored ones. */
  readonly given?: boolean;
  /** The value was merged, not read: whole numbers are converted to 32-bit integers as Go does, truncated if they are too large. */
  readonly restores?: boolean;
  /** Canonical parts of the value become parts of the result. Only for values that no other code holds or changes. */
  readonly reuses?: boolean;
  /** Returns the text of raw data in the value if it differs from what the server would write (`encoding/json/raw-text.ts`). */
  readonly textOf?: (raw: object) => string | undefined;
  /** Maps and structs in the value that are already canonical and become parts of the result. */
  readonly ready?: ReadonlySet<object> | undefined;
}

export type CanonicalOptions = Pick<DecodeOptions, "given" | "restores" | "reuses" | "ready">;

/** All functions for one type. Each part is compiled on first use and cached. */
export interface TypeSchema<T extends object = PlainObject> {
  readonly ref: TypeRef;
  /** Whether errors name fields and expected types, as for the project's own kinds. If not, they have the messages of Kubernetes. */
  readonly tellsByField?: boolean;
  /**
   * Converts a parsed value to a canonical object of the type: the object that a real server would return after storing it. Types are always
   * checked; fields are in declared order. The input is not changed; parts without a schema (raw objects) are shared with it. Note that a list
   * or map that is always written is null when it is empty (`containers: null`), as on a real server: code that iterates over one writes
   * `?? []`. Throws `DecodeError` with Go's message if a value does not match its type.
   */
  decode(value: unknown, options?: DecodeOptions): T;
  /** Like `decode`, for a large value; can be interrupted. Absent if `decode` is fast enough. */
  decodeSteps?(value: unknown, options?: DecodeOptions): Steps<T>;
  /** Like `decode`, for an object that is known to match the type but was changed by hooks, patches or conversions. */
  canonicalize(object: T, options?: CanonicalOptions): T;
  /** Like `canonicalize`, for a large object; can be interrupted. Absent if `canonicalize` is fast enough. */
  canonicalizeSteps?(object: T, options?: CanonicalOptions): Steps<T>;
  /** Returns an object with no fields set. Required fields have their zero values. */
  emptyObject(): T;
  /** Sets declared defaults, in place. Idempotent. */
  applyDefaults(object: T): void;
  /**
   * Removes fields whose feature gate is off, in place, unless the old object uses them. Pass the same function for the same state of the gates:
   * its results are cached.
   */
  dropDisabledFields(object: T, old: T | undefined, isEnabled: (gate: string) => boolean): void;
  /** Checks the markers and rules of a canonical object. */
  validate(object: T): FieldError[];
  /** Like `validate`, plus checks against the old object: immutable fields and transition rules. */
  validateUpdate(object: T, old: T): FieldError[];
  /** Encodes an object as the protobuf message of Kubernetes, without the envelope that `encodeEnvelope` adds. */
  encodeProtobuf(object: T): Uint8Array;
  /** Like `encodeProtobuf`, for a large object; can be interrupted. Absent if the type has no protobuf. */
  encodeProtobufSteps?(object: T): Steps<Uint8Array>;
  /**
   * Loads the function that converts the canonical JSON of an object to the result of `encodeProtobuf` without parsing it. It returns undefined
   * for JSON that must be parsed. Absent if the type has no protobuf.
   */
  loadTranscoder?(): Promise<(json: Buffer) => Uint8Array | undefined>;
  /** Decodes a protobuf message to a canonical object. Throws `ProtobufError` for malformed input. */
  decodeProtobuf(bytes: Uint8Array): T;
  /** Like `decodeProtobuf`, for a large message; can be interrupted. Absent if the type has no protobuf. */
  decodeProtobufSteps?(bytes: Uint8Array): Steps<T>;
  readonly mergeType: MergeType;
  /** The schema of the type for CEL expressions. */
  readonly celSchema: CelSchema;
}

export interface Schemas {
  /** Returns the schema of a named struct, such as `apps/v1.Deployment`. Throws `UnknownTypeError` for an undeclared name. */
  of<T extends object = PlainObject>(ref: TypeRef): TypeSchema<T>;
}
