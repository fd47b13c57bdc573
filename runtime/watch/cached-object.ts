import type { Steps } from "../lib/in-turns.ts";
import type { CorruptError } from "../store/errors.ts";
import type { ByteSpan } from "../store/value/stored-json.ts";
import { type Memo, type MemoHolder, type Memory, memoOf } from "./memo-budget.ts";

/** An object as plain data. Shared between readers: never changed in place. */
export type PlainObject = Readonly<Record<string, unknown>>;

/** What all objects of one resource share: how their bytes are read and where work on them is remembered. */
export interface ObjectReader {
  parse(json: Buffer): PlainObject;
  /** The same for a large object, in several turns of the event loop. */
  parseLarge?(json: Buffer): Promise<PlainObject>;
  /** The same in steps of the caller. */
  parseSteps?(json: Buffer): Steps<PlainObject>;
  /** The same to be encoded at once: `fieldsV1` may be `JsonText`. */
  parseToEncode?(json: Buffer): PlainObject;
  /** The same to be read while the bytes last: members are parsed when they are read, and cannot be changed. */
  view?(json: Buffer): PlainObject;
  /** `parse` without the members at these paths, which lead through the items of lists. */
  parseWithout?(json: Buffer, paths: readonly (readonly string[])[]): PlainObject;
  /** Writes one value as JSON, the inverse of `parse`. */
  stringify(value: unknown): string;
  /** The same for a large value; may be interrupted. */
  stringifySteps?(value: unknown): Steps<string>;
  /** The kind's selectable fields of an object, metadata.name and metadata.namespace included. */
  selectableFields(object: PlainObject): Readonly<Record<string, string>>;
  /** Restores what the JSON of a parsed object lacks from its selectable fields. */
  restore?(object: PlainObject, fields: Readonly<Record<string, string>>): void;
  /** Whether an object has no owners and no finalizers, and is not being deleted; false if that is not known. */
  standsAlone?(json: Buffer): boolean;
  readonly budget: Memory;
}

export type Labels = Readonly<Record<string, string>>;

export interface CachedObjectParts {
  readonly key: string;
  readonly modRevision: number;
  /** Canonical JSON of the storage version, `metadata.resourceVersion` included. */
  readonly json: Buffer;
  /** Where `metadata.labels` is in the JSON; absent when the object has none. Read without parsing the object. */
  readonly labelsSpan?: ByteSpan | undefined;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  readonly asStored?: boolean;
}

/** Where objects whose bytes were dropped read them. */
export interface JsonSource {
  /** The bytes of a cold object, which it may keep from now on. Throws StoreError. */
  read(object: CachedObject): Buffer;
  /** The same in memory that is valid until the next call. */
  readOnce(object: CachedObject): Buffer;
  /** Has the values of revisions read into memory without holding up the event loop; undefined where reads do not wait for a disk. */
  prefetch(revisions: readonly number[]): Promise<void> | undefined;
}

const NO_LABELS: Labels = Object.freeze({});
const EMPTY = Buffer.alloc(0);

/** How much larger than its JSON a parsed object is taken to be. */
const PARSED_COST = 4;
/** Encodings from this size on are never made twice while one is in use: many slow readers would each keep their own. */
const LARGE_BYTES = 64 * 1024;
/** The name of the JSON among large encodings: no encoding is called so. */
const JSON_IN_USE = "";

/**
 * One object at one revision, as compact bytes, which may be dropped and read from the store again. Everything else about it is made when asked for: labels and selectable
 * fields are kept once read, parsed forms and encodings are remembered under the budget. Immutable, shared by readers.
 */
export class CachedObject implements MemoHolder {
  readonly key: string;
  readonly modRevision: number;
  /** Bytes of its JSON, whether they are in memory or not. */
  readonly size: number;
  /** Whether the store holds this very JSON, its version aside: nothing was converted, decrypted or decoded. */
  readonly asStored: boolean;
  /** Why the stored value cannot be read; `json` is then empty and the object must not be served. */
  readonly corruption: CorruptError | undefined;
  memos: Memo | undefined = undefined;
  /** How many watches have still to send it; owned by their budget. */
  backlogs = 0;
  /** Whether its bytes were used since eviction last passed by. This and its neighbours are owned by the resident budget. */
  recent = false;
  older: CachedObject | undefined = undefined;
  newer: CachedObject | undefined = undefined;
  /** Undefined while the bytes are only in the store. */
  #json: Buffer | undefined;
  #source: JsonSource | undefined = undefined;
  readonly #reader: ObjectReader;
  readonly #labelsSpan: ByteSpan | undefined;
  /** As JSON, if the bytes were dropped before anybody asked for them. */
  #labels: Labels | string | undefined;
  #fields: Readonly<Record<string, string>> | undefined;
  /** Undefined if the bytes were never dropped. */
  #standsAlone: boolean | undefined = undefined;
  /** Large encodings that may still be in use by a response, cached or not: there is one of each. */
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

  /** An object whose stored value cannot be read. */
  static corrupt(key: string, modRevision: number, corruption: CorruptError, reader: ObjectReader): CachedObject {
    return new CachedObject({ key, modRevision, json: EMPTY, fields: {} }, reader, corruption);
  }

  /** Its canonical JSON. Objects whose bytes were dropped read them from the store; `size` takes no read. Throws StoreError. */
  get json(): Buffer {
    const json = this.#json;
    if (json === undefined) return this.#readAgain();
    this.recent = true;
    return json;
  }

  /** `json` for a caller that copies it before anything else is read: it may be in memory that is used again. */
  get jsonOnce(): Buffer {
    return this.#json === undefined && this.#source !== undefined ? this.#source.readOnce(this) : this.json;
  }

  get isCold(): boolean {
    return this.#json === undefined;
  }

  /** Where the budget that counts it reads its bytes again. */
  get source(): JsonSource | undefined {
    return this.#source;
  }

  set source(source: JsonSource | undefined) {
    this.#source = source;
  }

  /** Lets go of the bytes, which its source reads again. Labels stay: selectors ask for those of many objects. */
  dropBytes(): void {
    if (this.#labels === undefined) this.#labels = this.#labelsText();
    if (this.#json !== undefined) this.#standsAlone ??= this.#reader.standsAlone?.(this.#json) ?? false;
    this.#json = undefined;
  }

  /**
   * Whether it is known, without a read, to have no owners and no finalizers and not to be deleted. Only told of objects that are not in
   * memory.
   */
  get standsAlone(): boolean {
    return this.#standsAlone === true && this.isCold;
  }

  /** Keeps bytes that `source` has read. */
  keepBytes(json: Buffer): void {
    this.#json = json;
  }

  /** Moves its bytes out of memory that it shares with other objects, or with what is decoded next. */
  ownBytes(): void {
    const json = this.#json;
    if (json === undefined || json.buffer.byteLength === json.length) return;
    this.#json = Buffer.allocUnsafeSlow(json.length);
    json.copy(this.#json);
  }

  /** What it is made of, for a caller that copies the JSON before anything else is read. */
  get parts(): CachedObjectParts {
    const { key, modRevision, jsonOnce: json, asStored } = this;
    return { key, modRevision, json, asStored, labelsSpan: this.#labelsSpan, fields: this.#fields };
  }

  /** The parsed object. Remembered and shared: callers copy before they change anything. */
  get object(): PlainObject {
    return this.#reader.budget.remember(
      this,
      "object",
      () => this.parse(),
      () => this.size * PARSED_COST,
    );
  }

  /** Parses a large object in several turns of the event loop, before it is asked for. */
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

  /** The parsed object for work that is done once: nothing new is remembered, so that long lists evict nothing. */
  get objectOnce(): PlainObject {
    return (memoOf(this, "object")?.value as PlainObject | undefined) ?? this.parse();
  }

  /** Whether `object` is remembered: reading it takes nothing. */
  get isParsed(): boolean {
    return memoOf(this, "object") !== undefined;
  }

  /** As `objectOnce`, for encoders that know `JsonText`. */
  get objectToEncode(): PlainObject {
    const { parseToEncode } = this.#reader;
    if (parseToEncode === undefined || this.isParsed) return this.objectOnce;
    return this.#restored(parseToEncode(this.json));
  }

  /** As `objectOnce`, without the members at these paths, which lead through the items of lists; with them where that takes no less. */
  objectWithout(paths: readonly (readonly string[])[]): PlainObject {
    const { parseWithout } = this.#reader;
    return parseWithout === undefined || !this.isAllInJson ? this.objectOnce : parseWithout(this.jsonOnce, paths);
  }

  /** As `objectOnce`, for a caller that reads a few members before anything else is read: those are parsed. It cannot be changed. */
  get objectView(): PlainObject {
    const { view } = this.#reader;
    return view === undefined || this.isParsed || !this.isAllInJson ? this.objectOnce : view(this.json);
  }

  /** Whether its JSON says everything about it: nothing is restored from elsewhere when it is parsed. */
  get isAllInJson(): boolean {
    return this.#reader.restore === undefined;
  }

  /** The object parsed again: a copy that the caller may change. */
  parse(): PlainObject {
    return this.#restored(this.#reader.parse(this.json));
  }

  /** The same for a large object, in several turns of the event loop. */
  async parseLarge(): Promise<PlainObject> {
    const { parseLarge } = this.#reader;
    return parseLarge === undefined ? this.parse() : this.#restored(await parseLarge(this.json));
  }

  /** As `objectOnce`; of a large object it may be interrupted. */
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

  /** The value of a selectable field; undefined when the kind has no such field. */
  field(name: string): string | undefined {
    let fields = this.#fields;
    if (fields === undefined || !Object.hasOwn(fields, name)) {
      fields = this.#reader.selectableFields(this.objectOnce);
      this.#fields = fields;
    }
    return Object.hasOwn(fields, name) ? fields[name] : undefined;
  }

  /** Whether `field` has to read bytes that are not in memory, because the field was not known when the object was written. */
  readsField(name: string): boolean {
    return this.isCold && (this.#fields === undefined || !Object.hasOwn(this.#fields, name));
  }

  /** The bytes of one encoding, such as `v1 application/vnd.kubernetes.protobuf`, made once while the budget lasts. */
  encoding(name: string, encode: (object: CachedObject) => Uint8Array): Uint8Array {
    const make = (): Uint8Array => this.#inUse?.get(name)?.deref() ?? encode(this);
    const bytes = this.#reader.budget.rememberBytes(this, name, make);
    if (bytes.length >= LARGE_BYTES && this.#inUse?.get(name)?.deref() !== bytes) this.#noteInUse(name, bytes);
    return bytes;
  }

  /** Whether the bytes of an encoding are kept, or still in use. */
  hasEncoding(name: string): boolean {
    return memoOf(this, name) !== undefined || this.#inUse?.get(name)?.deref() !== undefined;
  }

  /** Something else about the object that is worth keeping while the budget lasts. */
  remember<T>(name: string, make: () => T, sizeOf: (value: T) => number): T {
    return this.#reader.budget.remember(this, name, make, sizeOf);
  }

  /** Of an object that has labels. */
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
