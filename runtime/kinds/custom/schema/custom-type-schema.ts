import { fromStructuralSchema } from "../../../cel/schema/structural-schema.ts";
import type { ApiObject } from "../../../contract/api-object.ts";
import type { MergeType } from "../../../contract/merge-schema.ts";
import type { TypeRef } from "../../../contract/type-table.ts";
import { noteGivenFloat } from "../../../go/source-notes.ts";
import { compareUtf8, isSortedUtf8, sortUtf8, sortUtf8Steps } from "../../../lib/compare-utf8.ts";
import { FloatLiteral, FloatRangeError, finiteNumber } from "../../../lib/float-literal.ts";
import type { Steps } from "../../../lib/in-turns.ts";
import { setOwn } from "../../../lib/json-object.ts";
import { DecodeError } from "../../../schema/schema-errors.ts";
import type { CanonicalOptions, DecodeOptions, DuplicateKeys, TypeSchema } from "../../../schema/type-schema.ts";
import { createMetadataReader, type MetadataReader } from "../../../schema/validate-embedded.ts";
import { failure } from "../../../values/status-errors.ts";
import { fillDefaults, pruneNulls } from "./default-values.ts";
import { coerceEmbedded, visitEmbedded } from "./embedded-objects.ts";
import { mergeTypeOf } from "./merge-type.ts";
import { listable, prune } from "./prune.ts";
import { type CustomSchema, type Draft, type FlatMaps, isDraft } from "./structural-schema.ts";

export interface CustomTypeOptions {
  readonly ref: TypeRef;
  readonly schema: CustomSchema;
  /** Part of the names of extensions: `x-<vendor>-…`. */
  readonly vendor: string;
  /** The type schema of object metadata. */
  readonly metadata: TypeSchema;
  /** Whether fields that the schema does not declare are kept (`preserveUnknownFields` of old definitions). */
  readonly preservesUnknown: boolean;
}

/**
 * Decoding, defaults and merging for one version of a custom kind, driven by its structural schema. Objects are kept as sent, except for
 * undeclared fields, with keys sorted as Kubernetes prints them. Validation is a separate step because it needs the old object and the
 * subresource.
 */
export class CustomTypeSchema implements TypeSchema<ApiObject> {
  readonly ref: TypeRef;
  readonly #options: CustomTypeOptions;
  readonly #readMetadata: MetadataReader;
  #mergeType: MergeType | undefined;

  constructor(options: CustomTypeOptions) {
    this.ref = options.ref;
    this.#options = options;
    this.#readMetadata = createMetadataReader(options.metadata);
  }

  decode(value: unknown, options: DecodeOptions = {}): ApiObject {
    const problems = problemsOf(value, options);
    const object = copySorted(value) as Draft;
    reportUnknown(this.#coerce(object), problems, options);
    return object as ApiObject;
  }

  *decodeSteps(value: unknown, options: DecodeOptions = {}): Steps<ApiObject> {
    const problems = problemsOf(value, options);
    const flat = new Set<object>();
    const object = (yield* copySortedSteps(value, flat)) as Draft;
    yield;
    reportUnknown(yield* this.#coerceSteps(object, flat), problems, options);
    return object as ApiObject;
  }

  /** Sorts keys but removes nothing: applied configurations are not decoded, so validation must see all their fields. */
  canonicalize(object: ApiObject, { reuses = false, ready }: CanonicalOptions = {}): ApiObject {
    const copy = reuses ? sorted : copySorted;
    const metadata = this.#readMetadata((copy(object.metadata) as Draft | undefined) ?? {}, [], "metadata");
    const members: Draft = { ...object, metadata };
    const canonical: Draft = {};
    for (const key of sortUtf8(Object.keys(members))) {
      const given = members[key];
      const member = typeof given === "object" && given !== null && ready?.has(given) ? given : copy(given);
      if (member !== undefined) setOwn(canonical, key, member);
    }
    return canonical as ApiObject;
  }

  *canonicalizeSteps(object: ApiObject, { reuses = false }: CanonicalOptions = {}): Steps<ApiObject> {
    const copyMember = reuses ? sortedSteps : copySortedSteps;
    const inOrder = (yield* copyMember(object.metadata)) as Draft | undefined;
    yield;
    const metadata = this.#readMetadata(inOrder ?? {}, [], "metadata");
    const members: Draft = { ...object, metadata };
    const canonical: Draft = {};
    for (const key of sortUtf8(Object.keys(members))) {
      yield;
      const member = yield* copyMember(members[key]);
      if (member !== undefined) setOwn(canonical, key, member);
    }
    return canonical as ApiObject;
  }

  /** Decodes a stored object and sets defaults. The object must not be used elsewhere: the result reuses its parts. */
  restore(stored: ApiObject): ApiObject {
    if (!isDraft(stored)) throw new DecodeError("json: cannot unmarshal into Go value of type map[string]interface {}");
    const object: Draft = {};
    for (const key of sortUtf8(Object.keys(stored))) setOwn(object, key, sorted(stored[key]));
    this.#coerce(object);
    this.applyDefaults(object as ApiObject);
    return object as ApiObject;
  }

  /** Like `restore`, for a large object; can be interrupted. */
  *restoreSteps(stored: ApiObject): Steps<ApiObject> {
    if (!isDraft(stored)) throw new DecodeError("json: cannot unmarshal into Go value of type map[string]interface {}");
    const object: Draft = {};
    const flat = new Set<object>();
    for (const key of sortUtf8(Object.keys(stored))) {
      setOwn(object, key, yield* sortedSteps(stored[key], flat));
      yield;
    }
    yield* this.#coerceSteps(object, flat);
    yield;
    this.applyDefaults(object as ApiObject);
    return object as ApiObject;
  }

  emptyObject(): ApiObject {
    return { metadata: {} };
  }

  applyDefaults(object: ApiObject): void {
    fillDefaults(object, this.#options.schema);
  }

  dropDisabledFields(): void {
    // Fields of custom kinds do not depend on feature gates.
  }

  validate(): [] {
    return [];
  }

  validateUpdate(): [] {
    return [];
  }

  encodeProtobuf(): Uint8Array {
    throw failure(
      406,
      "NotAcceptable",
      "object *unstructured.Unstructured does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message",
    );
  }

  decodeProtobuf(): ApiObject {
    throw new DecodeError("objects of custom kinds have no protobuf form");
  }

  get mergeType(): MergeType {
    const { schema, vendor, metadata, preservesUnknown } = this.#options;
    this.#mergeType ??= mergeTypeOf(schema, vendor, metadata.mergeType, preservesUnknown);
    return this.#mergeType;
  }

  get celSchema() {
    const { schema, vendor } = this.#options;
    return fromStructuralSchema(schema, vendor, true);
  }

  /** Prunes in place. Returns the paths of unknown fields. */
  #coerce(object: Draft): string[] {
    const { schema, vendor, preservesUnknown } = this.#options;
    const inMetadata = this.#coerceMetadata(object);
    const unknown = preservesUnknown ? [] : prune(object, schema, vendor);
    if (!preservesUnknown) pruneNulls(object, schema);
    const inside = this.#coerceEmbedded(object);
    object.metadata = sorted(object.metadata);
    return [...inMetadata, ...unknown, ...inside];
  }

  *#coerceSteps(object: Draft, flat: FlatMaps): Steps<string[]> {
    const { schema, vendor, preservesUnknown } = this.#options;
    const inMetadata = this.#coerceMetadata(object);
    yield;
    const unknown = preservesUnknown ? [] : prune(object, schema, vendor, flat);
    yield;
    if (!preservesUnknown) pruneNulls(object, schema, flat);
    yield;
    const inside = this.#coerceEmbedded(object);
    yield;
    object.metadata = yield* sortedSteps(object.metadata);
    return [...inMetadata, ...unknown, ...inside];
  }

  #coerceMetadata(object: Draft): readonly string[] {
    const unknown: string[] = [];
    object.metadata = this.#readMetadata(object.metadata ?? {}, unknown, "metadata");
    return unknown;
  }

  #coerceEmbedded(object: Draft): readonly string[] {
    const unknown: string[] = [];
    visitEmbedded(object, this.#options.schema, this.#options.vendor, (resource, path) => {
      coerceEmbedded(resource, path, this.#readMetadata, unknown);
      if (resource.metadata !== undefined) resource.metadata = sorted(resource.metadata);
    });
    return listable(unknown).sort();
  }
}

/** Reports the duplicate keys of a value. Throws if it is not an object. */
function problemsOf(value: unknown, { duplicates }: DecodeOptions): string[] {
  if (!isDraft(value)) throw new DecodeError("json: cannot unmarshal into Go value of type map[string]interface {}");
  const problems: string[] = [];
  if (duplicates !== undefined) reportDuplicates(value, duplicates, "", problems);
  return problems;
}

function reportUnknown(paths: readonly string[], problems: string[], options: DecodeOptions): void {
  if (options.problems === undefined) return;
  for (const path of paths) problems.push(`unknown field "${path}"`);
  for (const problem of new Set(listable(problems))) options.problems.push(problem);
}

const INT64_LIMIT = 2n ** 63n;

/** Copies a value with sorted keys, and with numbers as Go represents them: int64 or double. */
function copySorted(value: unknown): unknown {
  if (typeof value === "bigint") return value >= -INT64_LIMIT && value < INT64_LIMIT ? value : Number(value);
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof FloatLiteral) return finite(value);
  if (Array.isArray(value)) return copyItems(value);
  const copy: Draft = {};
  for (const key of sortUtf8(Object.keys(value))) {
    const given = (value as Draft)[key];
    const member = copySorted(given);
    if (member === undefined) continue;
    setOwn(copy, key, member);
    if (given instanceof FloatLiteral) noteGivenFloat(copy, key);
  }
  return copy;
}

/** Number of members that are copied in one step. */
const MEMBERS_PER_STEP = 1000;
/** Parts nested more deeply are sorted without interruption. */
const MAX_LEVEL = 6;

/** Like `copySorted`, for a large value; can be interrupted. */
function* copySortedSteps(value: unknown, flat = new Set<object>()): Steps<unknown> {
  if (!isDraft(value)) {
    if (!Array.isArray(value)) return copySorted(value);
    const copy: unknown[] = [];
    for (let i = 0; i < value.length; i++) {
      if (i % MEMBERS_PER_STEP === MEMBERS_PER_STEP - 1) yield;
      const given: unknown = value[i];
      copy.push(isContainer(given) ? yield* copySortedSteps(given, flat) : copySorted(given));
      if (given instanceof FloatLiteral) noteGivenFloat(copy, i);
    }
    return copy;
  }
  const copy: Draft = {};
  const keys = yield* sortUtf8Steps(Object.keys(value));
  let isFlat = keys.length >= MEMBERS_PER_STEP;
  for (let i = 0; i < keys.length; i++) {
    if (i % MEMBERS_PER_STEP === MEMBERS_PER_STEP - 1) yield;
    const key = keys[i] as string;
    const given = value[key];
    const member = isContainer(given) ? yield* copySortedSteps(given, flat) : copySorted(given);
    if (member === undefined) continue;
    if (typeof member === "object") isFlat = false;
    setOwn(copy, key, member);
    if (given instanceof FloatLiteral) noteGivenFloat(copy, key);
  }
  if (isFlat) flat.add(copy);
  return copy;
}

/** Whether a value is an object or list. Numbers may be represented by objects (FloatLiteral) that preserve how they were written. */
function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof FloatLiteral);
}

/** Like `copySorted`, but copies only the parts that change. The result shares all other parts with the value. */
function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof FloatLiteral) return copySorted(value);
  return Array.isArray(value) ? sortedItems(value) : sortedMembers(value as Draft);
}

function sortedMembers(object: Draft): Draft {
  const keys = Object.keys(object);
  let copy: Draft | undefined;
  if (!isSortedUtf8(keys)) {
    keys.sort(compareUtf8);
    copy = {};
  }
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const given = object[key];
    const member = typeof given === "string" ? given : sorted(given);
    if (copy === undefined && (member !== given || member === undefined)) {
      copy = {};
      for (let before = 0; before < i; before++) setOwn(copy, keys[before] as string, object[keys[before] as string]);
    }
    if (copy === undefined || member === undefined) continue;
    setOwn(copy, key, member);
    if (given instanceof FloatLiteral) noteGivenFloat(copy, key);
  }
  return copy ?? object;
}

/** Like `sorted`, for a large value. Can be interrupted between members of the upper levels and inside long objects. */
function* sortedSteps(value: unknown, flat = new Set<object>(), level = 0): Steps<unknown> {
  if (level <= MAX_LEVEL && Array.isArray(value)) return yield* sortedItemsSteps(value, flat, level);
  if (level > MAX_LEVEL || !isDraft(value)) return sorted(value);
  const given = Object.keys(value);
  yield;
  const isInOrder = isSortedUtf8(given);
  const keys = isInOrder ? given : yield* sortUtf8Steps(given);
  const members: [key: string, member: unknown][] = [];
  let isSame = isInOrder;
  let isFlat = keys.length >= MEMBERS_PER_STEP;
  for (let i = 0; i < keys.length; i++) {
    if (i % MEMBERS_PER_STEP === MEMBERS_PER_STEP - 1) yield;
    const key = keys[i] as string;
    const member = isContainer(value[key]) ? yield* sortedSteps(value[key], flat, level + 1) : sorted(value[key]);
    if (member !== value[key] || member === undefined) isSame = false;
    if (typeof member === "object") isFlat = false;
    members.push([key, member]);
  }
  if (isSame) {
    if (isFlat) flat.add(value);
    return value;
  }
  const copy: Draft = {};
  for (let i = 0; i < members.length; i++) {
    if (i % MEMBERS_PER_STEP === MEMBERS_PER_STEP - 1) yield;
    const [key, member] = members[i] as [string, unknown];
    if (member === undefined) continue;
    setOwn(copy, key, member);
    if (value[key] instanceof FloatLiteral) noteGivenFloat(copy, key);
  }
  if (isFlat) flat.add(copy);
  return copy;
}

function sortedItems(list: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const given = list[i];
    const item = sorted(given);
    if (item === given) continue;
    copy ??= list.slice();
    copy[i] = item;
    if (given instanceof FloatLiteral) noteGivenFloat(copy, i);
  }
  return copy ?? list;
}

/** Like `sortedItems`, can be interrupted: within the items of a short list, or between the items of a long list, which are small. */
function* sortedItemsSteps(list: readonly unknown[], flat: Set<object>, level: number): Steps<readonly unknown[]> {
  const isLong = list.length >= MEMBERS_PER_STEP;
  let copy: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    if (i % MEMBERS_PER_STEP === MEMBERS_PER_STEP - 1) yield;
    const given = list[i];
    const item = isLong || !isContainer(given) ? sorted(given) : yield* sortedSteps(given, flat, level + 1);
    if (item === given) continue;
    copy ??= list.slice();
    copy[i] = item;
    if (given instanceof FloatLiteral) noteGivenFloat(copy, i);
  }
  return copy ?? list;
}

function finite(literal: FloatLiteral): number {
  try {
    return finiteNumber(literal);
  } catch (error) {
    throw error instanceof FloatRangeError ? new DecodeError(error.message) : error;
  }
}

function copyItems(list: readonly unknown[]): unknown[] {
  const copy = list.map(copySorted);
  for (let i = 0; i < list.length; i++) if (list[i] instanceof FloatLiteral) noteGivenFloat(copy, i);
  return copy;
}

/** Reports duplicate keys in reading order: a key before the keys inside its value. */
function reportDuplicates(value: unknown, duplicates: DuplicateKeys, path: string, problems: string[]): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => reportDuplicates(item, duplicates, `${path}[${index}]`, problems));
    return;
  }
  const repeated = new Set(duplicates.get(value));
  for (const [key, member] of Object.entries(value)) {
    const at = path === "" ? key : `${path}.${key}`;
    if (repeated.has(key)) problems.push(`duplicate field "${at}"`);
    reportDuplicates(member, duplicates, at, problems);
  }
}
