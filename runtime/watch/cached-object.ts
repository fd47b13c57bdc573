import type { Steps } from "../lib/in-turns.ts";
import type { CorruptError } from "../store/errors.ts";
import type { ByteSpan } from "../store/value/stored-json.ts";
import { type Memo, type MemoHolder, type Memory, memoOf } from "./memo-budget.ts";

/** An object as plain data. Shared between readers: must never be changed in place. */
export type PlainObject = Readonly<Record<string, unknown>>;

/** Functions that all objects of one resource share: how to decode their bytes, and the budget for cached results. */
export interface ObjectReader {
  parse(json: Buffer): PlainObject;
  /** Like `parse`, for a large object: takes several turns of the event loop. */
  parseLarge?(json: Buffer): Promise<PlainObject>;
  /** Like `parse`, in steps that the caller controls. */
  parseSteps?(json: Buffer): Steps<PlainObject>;
  /** Like `parse`, for an object that is encoded at once: `fieldsV1` may be a `JsonText`. */
  parseToEncode?(json: Buffer): PlainObject;
  /** Like `parse`, for reading only while the bytes are valid: members are parsed when they are read, and cannot be changed. */
  view?(json: Buffer): PlainObject;
  /** `parse` without the members at these paths. A path continues through the items of lists. */
  parseWithout?(json: Buffer, paths: readonly (readonly string[])[]): PlainObject;
  /** Writes a value as JSON, the inverse of `parse`. */
  stringify(value: unknown): string;
  /** Like `stringify`, for a large value, in steps between which the caller may pause. */
  stringifySteps?(value: unknown): Steps<string>;
  /** Returns the selectable fields of an object, metadata.name and metadata.namespace included. */
  selectableFields(object: PlainObject): Readonly<Record<string, string>>;
  /** Restores members of a parsed object that its JSON lacks, from its selectable fields. */
  restore?(object: PlainObject, fields: Readonly<Record<string, string>>): void;
  /** Whether the object has no owners and no finalizers and is not being deleted. False if unknown. */
  standsAlone?(json: Buffer): boolean;
  readonly budget: Memory;
}

export type Labels = Readonly<Record<string, string>>;

export interface CachedObjectParts {
  readonly key: string;
  readonly modRevision: number;
  /** Canonical JSON of the storage version, `metadata.resourceVersion` included. */
  readonly json: Buffer;
  /** Position of `metadata.labels` in the JSON; absent if the object has none. Lets labels be read without parsing the object. */
  readonly labelsSpan?: ByteSpan | undefined;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  readonly asStored?: boolean;
}

/** Reads the bytes of objects whose bytes were dropped. */
export interface JsonSource {
  /** Reads the bytes of a cold object, which may keep them from now on. Throws StoreError. */
  read(object: CachedObject): Buffer;
  /** Like `read`, but the bytes are valid only until the next call. */
  readOnce(object: CachedObject): Buffer;
  /** Reads the values of revisions into memory without blocking the event loop. Returns undefined if reads do not wait for a disk. */
  prefetch(revisions: readonly number[]): Promise<void> | undefined;
}

const NO_LABELS: Labels = Object.freeze({});
const EMPTY = Buffer.alloc(0);

/** Estimated size of a parsed object, relative to its JSON. */
const PARSED_COST = 4;
/** An encoding of at least this size is shared while any response uses it: many slow readers would otherwise each keep their own copy. */
const LARGE_BYTES = 64 * 1024;
/** Key of the JSON among the large encodings in use. No encoding has this name. */
const JSON_IN_USE = "";

/**
 * One object at one revision, as compact bytes. The bytes may be dropped and read again from the store. Everything else is derived on
 * demand: labels and selectable fields are kept once they are read; parsed forms and encodings are cached under the budget. Immutable,
 * shared by readers.
 */
export class CachedObject implements MemoHolder {
  readonly key: string;
  readonly modRevision: number;
  /** Bytes of the JSON, whether or not they are in memory. */
  readonly size: number;
  /** Whether the store contains exactly this JSON, apart from the resourceVersion: nothing was converted, decrypted or decoded. */
  readonly asStored: boolean;
  /** Why the stored value cannot be read. If set, `json` is empty and the object must not be served. */
  readonly corruption: CorruptError | undefined;
  memos: Memo | undefined = undefined;
  /** Number of watches that have not sent this object yet. Managed by the backlog budget. */
  backlogs = 0;
  /** Whether the bytes were used since eviction last considered this object. Managed by the resident budget, like `older` and `newer`. */
  recent = false;
  older: CachedObject | undefined = undefined;
  newer: CachedObject | undefined = undefined;
  /** Undefined while the bytes are only in the store. */
  #json: Buffer | undefined;
  #source: JsonSource | undefined = undefined;
  readonly #reader: ObjectReader;
  readonly #labelsSpan: ByteSpan | undefined;
  /** A string is the JSON of the labels: the bytes were dropped before the labels were read. */
  #labels: Labels | string | undefined;
  #fields: Readonly<Record<string, string>> | undefined;
  /** Undefined if the bytes were never dropped. */
  #standsAlone: boolean | undefined = undefined;
  /** Large encodings that a response may still be using, whether or not they are cached. Avoids a second copy. */
  #inUse: Map<string, WeakRef<Uint8Array>> | undefined;

  constructor(parts: CachedObjectParts, reader: ObjectReader, corruption?: CorruptError) {
    this.key = parts.key;
    this.modRevision = parts.modRevision;
    this.#json = parts.json;
    this.size = parts.json.length;
    this.asStored = parts.asStored === true;
    this.corruption = corruption;
    this.#reader = reader;
    this.#labelsSpan = parts.labelsSpan;
    this.#labels = parts.labelsSpan === undefined ? NO_LABELS : undefined;
    this.#fields = parts.fields;
  }

  /** Creates an object whose stored value cannot be read. */
  static corrupt(key: string, modRevision: number, corruption: CorruptError, reader: ObjectReader): CachedObject {
    return new CachedObject({ key, modRevision, json: EMPTY, fields: {} }, reader, corruption);
  }

  /** The canonical JSON. If the bytes were dropped, reads them from the store; `size` needs no read. Throws StoreError. */
  get json(): Buffer {
    const json = this.#json;
    if (json === undefined) return this.#readAgain();
    this.recent = true;
    return json;
  }

  /** `json` for a caller that copies it before it reads anything else: the memory may be reused. */
  get jsonOnce(): Buffer {
    return this.#json === undefined && this.#source !== undefined ? this.#source.readOnce(this) : this.json;
  }

  get isCold(): boolean {
    return this.#json === undefined;
  }

  /** Reads the bytes again after they were dropped. Set by the budget that counts this object. */
  get source(): JsonSource | undefined {
    return this.#source;
  }

  set source(source: JsonSource | undefined) {
    this.#source = source;
  }

  /** Drops the bytes; its source can read them again. Labels stay in memory, because selectors read those of many objects. */
  dropBytes(): void {
    if (this.#labels === undefined) this.#labels = this.#labelsText();
    if (this.#json !== undefined) this.#standsAlone ??= this.#reader.standsAlone?.(this.#json) ?? false;
    this.#json = undefined;
  }

  /**
   * Whether the object is known, without a read, to have no owners and no finalizers and not to be deleted. Always false while its bytes
   * are in memory.
   */
  get standsAlone(): boolean {
    return this.#standsAlone === true && this.isCold;
  }

  /** Keeps bytes that `source` has read. */
  keepBytes(json: Buffer): void {
    this.#json = json;
  }

  /** Copies the bytes out of memory that they share with other objects or with the next decoded object. */
  ownBytes(): void {
    const json = this.#json;
    if (json === undefined || json.buffer.byteLength === json.length) return;
    this.#json = Buffer.allocUnsafeSlow(json.length);
    json.copy(this.#json);
  }

  /** The parts from which this object can be created again, for a caller that copies the JSON before it reads anything else. */
  get parts(): CachedObjectParts {
    const { key, modRevision, jsonOnce: json, asStored } = this;
    return { key, modRevision, json, asStored, labelsSpan: this.#labelsSpan, fields: this.#fields };
  }

  /** The parsed object. Cached and shared: callers must copy it before they change anything. */
  get object(): PlainObject {
    return this.#reader.budget.remember(
      this,
      "object",
      () => this.parse(),
      () => this.size * PARSED_COST,
    );
  }

  /** Parses a large object in several turns of the event loop, before `object` is read. */
  async load(): Promise<void> {
    if (this.isParsed) return;
    const parsed = await this.parseLarge();
    this.#reader.budget.remember(
      this,
      "object",
      () => parsed,
      () => this.size * PARSED_COST,
    );
  }

  /** The parsed object, for a single use: it is not added to the cache, so that long lists evict nothing. */
  get objectOnce(): PlainObject {
    return (memoOf(this, "object")?.value as PlainObject | undefined) ?? this.parse();
  }

  /** Whether `object` is cached, so that reading it costs nothing. */
  get isParsed(): boolean {
    return memoOf(this, "object") !== undefined;
  }

  /** Like `objectOnce`, for encoders that support `JsonText`. */
  get objectToEncode(): PlainObject {
    const { parseToEncode } = this.#reader;
    if (parseToEncode === undefined || this.isParsed) return this.objectOnce;
    return this.#restored(parseToEncode(this.json));
  }

  /**
   * Like `objectOnce`, without the members at these paths, which continue through the items of lists. May include them if omitting them
   * saves no work.
   */
  objectWithout(paths: readonly (readonly string[])[]): PlainObject {
    const { parseWithout } = this.#reader;
    return parseWithout === undefined || !this.isAllInJson ? this.objectOnce : parseWithout(this.jsonOnce, paths);
  }

  /** Like `objectOnce`, for a caller that reads a few members before it reads anything else: only those are parsed. The result cannot be changed. */
  get objectView(): PlainObject {
    const { view } = this.#reader;
    return view === undefined || this.isParsed || !this.isAllInJson ? this.objectOnce : view(this.json);
  }

  /** Whether the JSON is complete: parsing restores nothing from elsewhere. */
  get isAllInJson(): boolean {
    return this.#reader.restore === undefined;
  }

  /** Parses the object again: a copy that the caller may change. */
  parse(): PlainObject {
    return this.#restored(this.#reader.parse(this.json));
  }

  /** Like `parse`, for a large object: takes several turns of the event loop. */
  async parseLarge(): Promise<PlainObject> {
    const { parseLarge } = this.#reader;
    return parseLarge === undefined ? this.parse() : this.#restored(await parseLarge(this.json));
  }

  /** Like `objectOnce`. For a large object, in steps between which the caller may pause. */
  *objectSteps(): Steps<PlainObject> {
    const known = memoOf(this, "object")?.value as PlainObject | undefined;
    const { parseSteps } = this.#reader;
    if (known !== undefined || parseSteps === undefined || this.json.length < LARGE_BYTES) return known ?? this.parse();
    return this.#restored(yield* parseSteps(this.json));
  }

  #restored(object: PlainObject): PlainObject {
    if (this.#reader.restore !== undefined && this.#fields !== undefined) this.#reader.restore(object, this.#fields);
    return object;
  }

  get labels(): Labels {
    if (typeof this.#labels === "object") return this.#labels;
    const labels = JSON.parse(this.#labels ?? this.#labelsText()) as Labels;
    this.#labels = labels;
    return labels;
  }

  /** The value of a selectable field; undefined if the kind has no such field. */
  field(name: string): string | undefined {
    let fields = this.#fields;
    if (fields === undefined || !Object.hasOwn(fields, name)) {
      fields = this.#reader.selectableFields(this.objectOnce);
      this.#fields = fields;
    }
    return Object.hasOwn(fields, name) ? fields[name] : undefined;
  }

  /** Whether `field` must read bytes that are not in memory, because the field was not selectable when the object was written. */
  readsField(name: string): boolean {
    return this.isCold && (this.#fields === undefined || !Object.hasOwn(this.#fields, name));
  }

  /** The bytes of one encoding, such as `v1 application/vnd.kubernetes.protobuf`. Made once and cached under the budget. */
  encoding(name: string, encode: (object: CachedObject) => Uint8Array): Uint8Array {
    const make = (): Uint8Array => this.#inUse?.get(name)?.deref() ?? encode(this);
    const bytes = this.#reader.budget.rememberBytes(this, name, make);
    if (bytes.length >= LARGE_BYTES && this.#inUse?.get(name)?.deref() !== bytes) this.#noteInUse(name, bytes);
    return bytes;
  }

  /** Whether the bytes of an encoding are cached, or still in use. */
  hasEncoding(name: string): boolean {
    return memoOf(this, name) !== undefined || this.#inUse?.get(name)?.deref() !== undefined;
  }

  /** Caches another derived value of this object under the budget. */
  remember<T>(name: string, make: () => T, sizeOf: (value: T) => number): T {
    return this.#reader.budget.remember(this, name, make, sizeOf);
  }

  /** Only called if the object has labels. */
  #labelsText(): string {
    const span = this.#labelsSpan;
    return span === undefined ? "{}" : this.json.toString("utf8", span.start, span.end);
  }

  #readAgain(): Buffer {
    const inUse = this.#inUse?.get(JSON_IN_USE)?.deref();
    if (inUse !== undefined) return inUse as Buffer;
    const source = this.#source;
    if (source === undefined) throw new Error(`the bytes of ${this.key} are gone`);
    const json = source.read(this);
    if (this.#json === undefined && json.length >= LARGE_BYTES) this.#noteInUse(JSON_IN_USE, json);
    return json;
  }

  #noteInUse(name: string, bytes: Uint8Array): void {
    this.#inUse ??= new Map();
    this.#inUse.set(name, new WeakRef(bytes));
  }
}
