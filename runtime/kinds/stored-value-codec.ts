import { isDeepStrictEqual } from "node:util";
import type { ApiObject } from "../contract/api-object.ts";
import { findMember } from "../encoding/json/parse-stored-object.ts";
import { decodeEnvelope, encodeEnvelope, envelopeAround, isEnvelope } from "../encoding/protobuf/envelope.ts";
import type { AllocateBytes } from "../lib/byte-arena.ts";
import { atOnce, inTurns, LARGE_BYTES, rest, type Steps } from "../lib/in-turns.ts";
import { refuseEncrypted } from "../store/encryption/prefix-transformer.ts";
import type { ValueTransformer } from "../store/encryption/value-transformer.ts";
import { CorruptError, MAX_REQUEST_BYTES } from "../store/errors.ts";
import {
  decodeStoredJson,
  encodeStoredJson,
  encodeStoredJsonSteps,
  hasMark,
  isStoredJson,
  jsonBeginsWith,
  markOpening,
  type PrintedMembers,
  readsAlike,
  storedJsonText,
} from "../store/value/stored-json.ts";
import { CachedObject, type ObjectReader, type PlainObject } from "../watch/cached-object.ts";
import type { ObjectCodec } from "../watch/codec.ts";
import { OWN_MEMOS } from "../watch/memo-budget.ts";
import { withMeta } from "./change-meta.ts";

const OPEN_BRACE = 0x7b;
const METADATA = Buffer.from('"metadata"');
const RESOURCE_VERSION = Buffer.from('"resourceVersion"');
const MANAGED_FIELDS = ',"managedFields":';

/**
 * Encoding of written values. `spliced`: JSON of the embedded store, into which the revision is inserted on reading. `protobuf` and `plain`
 * (JSON): what Kubernetes stores in etcd for built-in and custom kinds.
 */
export type WrittenAs = "spliced" | "protobuf" | "plain";

/** The version in which a kind is stored and the version in which the server keeps it in memory. */
export interface StoredForm {
  /** The version that is written, such as `apps/v1`. */
  readonly storedVersion: string;
  /** First bytes of the JSON of that version as this server writes it. Sufficient to detect the version without parsing. */
  readonly storedOpening: Buffer;
  /** First bytes of the JSON of the version in memory. Absent if every value must be parsed, because its schema may have changed since. */
  readonly shownOpening?: Buffer;
  /**
   * Identifies the current defaults of the kind. A value of the version in memory is used without parsing only if it was written with these
   * defaults. Absent if the kind has none.
   */
  readonly defaults?: string | undefined;
  /**
   * Converts a stored object of any version to the version in memory and sets missing defaults. May change the object. Throws for an unknown
   * version.
   */
  show(object: ApiObject): ApiObject;
  /** Like `show`, for a large object; can be interrupted. Absent if `show` is fast enough. */
  showSteps?(object: ApiObject): Steps<ApiObject>;
  /** Converts an object from the version in memory to the version that is written. */
  store(object: ApiObject): ApiObject;
  /** Protobuf encoding. Absent for custom kinds, which have none. */
  readonly messages?: StoredMessages;
}

export interface StoredMessages {
  /** Decodes a message of that version. Throws for an unknown version. */
  decode(apiVersion: string, message: Uint8Array): ApiObject;
  encode(stored: ApiObject): StoredMessage;
  /** Like `encode`, for a large object; can be interrupted. */
  encodeSteps(stored: ApiObject): Steps<StoredMessage>;
}

/** Sizes in bytes of a value as Kubernetes stores it in etcd. The size without managedFields is set only if the value is too large with them. */
export interface SizeInEtcd {
  readonly all: number;
  readonly withoutOwners?: number;
  /** Size of this server's JSON without managedFields. */
  readonly jsonWithoutOwners?: number;
}

interface StoredMessage {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

export interface StoredValueCodecParts {
  readonly reader: ObjectReader;
  /** If absent, objects are stored in the version in memory. */
  readonly form?: StoredForm;
  /** Absent if values are not encrypted. */
  readonly transformer?: ValueTransformer | undefined;
  /** `spliced` by default. */
  readonly writes?: WrittenAs;
}

/**
 * Encodes objects as stored values and decodes them. Decoding detects the format from the first bytes: spliced JSON, plain JSON or a `k8s\0`
 * protobuf envelope, in any version of the kind, possibly encrypted. All become the same cached object. Encoding follows `writes` and the
 * form.
 *
 * A Deployment in the embedded store, written while `apps/v1` is both the stored version and the one in memory:
 *
 *     header | {"":"x7Gq…","metadata.name":"web"} | {"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web" ^ ,"labels":…
 *              defaults, selectable fields          JSON; at ^ the revision is put in: ,"resourceVersion":"42"
 *
 * Its JSON begins with `shownOpening`, and it was written with the current defaults of the kind. `decode` therefore copies it without parsing.
 */
export class StoredValueCodec implements ObjectCodec {
  readonly #reader: ObjectReader;
  /** Reader for objects that are not held by a cache. */
  readonly #readerOnce: ObjectReader;
  readonly #form: StoredForm | undefined;
  readonly #transformer: ValueTransformer | undefined;
  readonly #writes: WrittenAs;
  /** First bytes of the fields of a value that was written with the current defaults of its kind. */
  readonly #mark: Buffer | undefined;
  /** Large values converted to spliced JSON of the version in memory, keyed by the stored bytes. */
  readonly #prepared = new WeakMap<Uint8Array, Uint8Array>();
  /** Sizes that large values would have in etcd, keyed by the stored bytes. */
  readonly #sizes = new WeakMap<Uint8Array, SizeInEtcd>();

  constructor({ reader, form, transformer, writes = "spliced" }: StoredValueCodecParts) {
    this.#reader = reader;
    this.#readerOnce = { ...reader, budget: OWN_MEMOS };
    this.#form = form;
    this.#transformer = transformer;
    this.#writes = writes;
    this.#mark = form?.defaults === undefined ? undefined : markOpening(form.defaults);
  }

  /** Encodes an object as the value to store under a key. `printed` is the JSON of some members in the version in memory. */
  encode(object: PlainObject, key = "", printed?: PrintedMembers): Uint8Array {
    const stored = this.#form?.store(object as unknown as ApiObject) ?? (object as unknown as ApiObject);
    const value = this.#write(stored, stored === (object as unknown) ? printed : undefined);
    const sealed = this.#transformer === undefined ? value : this.#transformer.seal(key, value);
    if (value.length >= LARGE_BYTES && this.#writes === "spliced") atOnce(this.#measureSteps(stored, value, sealed));
    return sealed;
  }

  /**
   * Returns the size that a value encoded here would have in etcd as Kubernetes stores it: protobuf, or JSON for custom kinds. Undefined if the
   * store is etcd, which checks the size itself, and for small values: no message of any kind reaches twelve times the size of its JSON.
   */
  sizeInEtcd(value: Uint8Array): SizeInEtcd | undefined {
    return value.length < LARGE_BYTES ? undefined : this.#sizes.get(value);
  }

  *#measureSteps(stored: ApiObject, value: Uint8Array, sealed: Uint8Array): Steps<void> {
    const messages = this.#form?.messages;
    const sealing = sealed.length - value.length;
    const text = storedJsonText(value) ?? value;
    const all = (messages === undefined ? text.length + 1 : yield* messageBytesSteps(messages, stored)) + sealing;
    // A write of an object that is too large is retried without managedFields if it then fits.
    if (all <= MAX_REQUEST_BYTES) {
      this.#sizes.set(sealed, { all });
      return;
    }
    yield;
    const inJson = yield* this.#ownersInJsonSteps(stored);
    const owners = messages === undefined || inJson === 0 ? inJson : yield* ownersInMessageSteps(messages, stored);
    this.#sizes.set(sealed, { all, withoutOwners: all - owners, jsonWithoutOwners: text.length - inJson });
  }

  /** Number of bytes that managedFields take in the JSON, including the comma before them. 0 if there are none. */
  *#ownersInJsonSteps({ metadata: { managedFields } }: ApiObject): Steps<number> {
    if (managedFields === undefined) return 0;
    const { stringify, stringifySteps } = this.#reader;
    const printed = stringifySteps === undefined ? stringify(managedFields) : yield* stringifySteps(managedFields);
    return MANAGED_FIELDS.length + Buffer.byteLength(printed);
  }

  /** Like `encode`, for a large object; can be interrupted. */
  *encodeSteps(object: PlainObject, key = ""): Steps<Uint8Array> {
    const { stringifySteps } = this.#reader;
    if (this.#writes !== "spliced" || stringifySteps === undefined) return this.encode(object, key);
    const stored = this.#form?.store(object as unknown as ApiObject) ?? object;
    yield;
    const value = yield* this.#spliceSteps(stored as unknown as PlainObject, stringifySteps);
    yield;
    const sealed = this.#transformer === undefined ? value : this.#transformer.seal(key, value);
    if (value.length >= LARGE_BYTES) yield* this.#measureSteps(stored as ApiObject, value, sealed);
    return sealed;
  }

  /**
   * Does the expensive part of decoding a large value in several turns of the event loop, so that a following `decode` of the same bytes is
   * fast. Ignores values that cannot be read.
   */
  async prepare(value: Uint8Array): Promise<void> {
    const { parseLarge, stringifySteps } = this.#reader;
    const form = this.#form;
    if (form?.showSteps === undefined || !isStoredJson(value) || this.#isShown(value)) return;
    if (this.#transformer !== undefined || parseLarge === undefined || stringifySteps === undefined) return;
    try {
      const { json, fields } = decodeStoredJson(value, 0);
      const object = this.#restored((await parseLarge(json)) as unknown as ApiObject, fields);
      await rest();
      const shown = (await inTurns(form.showSteps(object))) as unknown as PlainObject;
      const spliced = await inTurns(this.#spliceSteps(shown, stringifySteps));
      this.#prepared.set(value, spliced.equals(value) ? value : spliced);
    } catch {
      // `decode` reports the reason.
    }
  }

  decode(key: string, value: Uint8Array, modRevision: number, allocate?: AllocateBytes): CachedObject {
    return this.#decode(this.#reader, key, value, modRevision, allocate);
  }

  decodeOnce(key: string, value: Uint8Array, modRevision: number): CachedObject {
    return this.#decode(this.#readerOnce, key, value, modRevision);
  }

  #decode(
    reader: ObjectReader,
    key: string,
    value: Uint8Array,
    modRevision: number,
    allocate?: AllocateBytes,
  ): CachedObject {
    try {
      const opened = this.#open(key, value);
      const shown = this.#shown(opened, modRevision);
      return cachedOf(reader, key, shown, modRevision, shown === value || readsAlike(shown, value), allocate);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const corruption = new CorruptError(key, `the stored value cannot be read: ${reason}`, { cause });
      return CachedObject.corrupt(key, modRevision, corruption, reader);
    }
  }

  /** Decodes a value to an object of the version in memory, without a revision. Throws if the value cannot be read. */
  read(key: string, value: Uint8Array): ApiObject {
    const object = this.#read(this.#open(key, value), 0);
    return withMeta(this.#form?.show(object) ?? object, { resourceVersion: undefined });
  }

  /** Whether a value is in the version that is written now and encrypted with the current key. */
  isCurrent(value: Uint8Array, key = ""): boolean {
    if (this.#transformer === undefined) return this.#isStoredVersion(value);
    const { value: opened, stale } = this.#transformer.open(key, value);
    return !stale && this.#isStoredVersion(opened);
  }

  /**
   * Whether a value contains all defaults of its kind. In the embedded store it must also have been written with the current defaults of the
   * kind, so that it can be read without parsing.
   */
  isComplete(value: Uint8Array, key = ""): boolean {
    if (!this.#completes) return true;
    if (this.#writes === "spliced" && this.#mark !== undefined) {
      const opened = this.#open(key, value);
      return isStoredJson(opened) && hasMark(opened, this.#mark);
    }
    // Compares with a rewritten value, because not every default can be stored: protobuf has no field for the kind of an embedded object.
    return this.storeAlike(key, value, this.encode(this.read(key, value) as unknown as PlainObject, key));
  }

  /** Whether two values store the same object, regardless of encoding. Neither defaults nor conversions are applied. */
  storeAlike(key: string, one: Uint8Array, other: Uint8Array): boolean {
    const bare = (value: Uint8Array): ApiObject => this.#readBare(this.#open(key, value));
    return !this.#completes || isDeepStrictEqual(bare(one), bare(other));
  }

  /** Whether reading may change objects of the written version. */
  get #completes(): boolean {
    const form = this.#form;
    return form !== undefined && (form.shownOpening === undefined || form.defaults !== undefined);
  }

  #open(key: string, value: Uint8Array): Uint8Array {
    return this.#transformer === undefined ? value : this.#transformer.open(key, value).value;
  }

  withRevision(object: CachedObject, modRevision: number): CachedObject {
    const { json, labelsSpan, ...parts } = object.parts;
    const metadata = findMember(json, 0, METADATA);
    const version = metadata && findMember(json, metadata.start, RESOURCE_VERSION);
    if (version === undefined)
      return cachedOf(this.#reader, object.key, this.#splice(object.objectOnce), modRevision, false);
    const written = Buffer.from(`"${modRevision}"`);
    const shift =
      labelsSpan === undefined || labelsSpan.start < version.end ? 0 : written.length - (version.end - version.start);
    return new CachedObject(
      {
        ...parts,
        modRevision,
        asStored: false,
        json: Buffer.concat([json.subarray(0, version.start), written, json.subarray(version.end)]),
        labelsSpan: labelsSpan && { start: labelsSpan.start + shift, end: labelsSpan.end + shift },
      },
      this.#reader,
    );
  }

  #write(stored: ApiObject, printed: PrintedMembers | undefined): Uint8Array {
    switch (this.#writes) {
      case "spliced":
        return this.#splice(stored as unknown as PlainObject, printed);
      case "protobuf": {
        const message = this.#form?.messages?.encode(withMeta(stored, { resourceVersion: undefined }));
        if (message === undefined) throw new Error(`${stored.kind ?? ""} has no protobuf messages`);
        return encodeEnvelope(message);
      }
      case "plain": {
        const { resourceVersion: _version, ...metadata } = stored.metadata;
        return Buffer.from(`${this.#reader.stringify({ ...stored, metadata })}\n`);
      }
    }
  }

  #splice(object: PlainObject, printed?: PrintedMembers): Buffer {
    return encodeStoredJson(object, {
      fields: this.#reader.selectableFields(object),
      mark: this.#form?.defaults,
      stringify: (value) => this.#reader.stringify(value),
      printed,
    });
  }

  *#spliceSteps(object: PlainObject, stringifySteps: (value: unknown) => Steps<string>): Steps<Buffer> {
    const fields = this.#reader.selectableFields(object);
    return yield* encodeStoredJsonSteps(object, stringifySteps, {
      fields,
      mark: this.#form?.defaults,
      stringify: (value) => this.#reader.stringify(value),
    });
  }

  /** Returns a value as spliced JSON of the version in memory. Most values already are. */
  #shown(value: Uint8Array, modRevision: number): Uint8Array {
    if (isStoredJson(value) && this.#isShown(value)) return value;
    const prepared = value.length < LARGE_BYTES ? undefined : this.#prepared.get(value);
    if (prepared !== undefined) return prepared;
    const object = this.#read(value, modRevision);
    return this.#splice((this.#form?.show(object) ?? object) as unknown as PlainObject);
  }

  /** Whether a value of the embedded store can be used as it is. */
  #isShown(value: Uint8Array): boolean {
    const form = this.#form;
    if (form === undefined) return true;
    if (form.shownOpening === undefined || !jsonBeginsWith(value, form.shownOpening)) return false;
    return this.#mark === undefined || hasMark(value, this.#mark);
  }

  #readBare(value: Uint8Array): ApiObject {
    return withMeta(this.#read(value, 0), { resourceVersion: undefined });
  }

  #restored(object: ApiObject, fields: Readonly<Record<string, string>> | undefined): ApiObject {
    if (fields !== undefined) this.#reader.restore?.(object as unknown as PlainObject, fields);
    return object;
  }

  #read(value: Uint8Array, modRevision: number): ApiObject {
    if (isStoredJson(value)) {
      const { json, fields } = decodeStoredJson(value, modRevision);
      return this.#restored(this.#parse(json), fields);
    }
    if (value[0] === OPEN_BRACE) return this.#parse(Buffer.from(value));
    refuseEncrypted(value);
    const messages = this.#form?.messages;
    if (messages === undefined) throw new Error("it is in no format known here");
    const { apiVersion, raw } = decodeEnvelope(value);
    return messages.decode(apiVersion, raw);
  }

  #isStoredVersion(value: Uint8Array): boolean {
    const form = this.#form;
    if (form === undefined) return true;
    if (isEnvelope(value)) return decodeEnvelope(value).apiVersion === form.storedVersion;
    if (startsWith(storedJsonText(value) ?? value, form.storedOpening)) return true;
    return this.#read(value, 0).apiVersion === form.storedVersion;
  }

  #parse(json: Buffer): ApiObject {
    return this.#reader.parse(json) as unknown as ApiObject;
  }
}

/** Size of the envelope and the message of an object. */
function* messageBytesSteps(messages: StoredMessages, stored: ApiObject): Steps<number> {
  const { raw, ...type } = yield* messages.encodeSteps(withMeta(stored, { resourceVersion: undefined }));
  const { head, tail } = envelopeAround({ ...type, rawLength: raw.length });
  return head.length + raw.length + tail.length;
}

/** Number of bytes that managedFields add to the message of an object. Fields outside metadata do not influence the difference. */
function* ownersInMessageSteps(messages: StoredMessages, { metadata }: ApiObject): Steps<number> {
  const owned: ApiObject = { metadata };
  const bare = withMeta(owned, { managedFields: undefined });
  return (yield* messageBytesSteps(messages, owned)) - (yield* messageBytesSteps(messages, bare));
}

function cachedOf(
  reader: ObjectReader,
  key: string,
  spliced: Uint8Array,
  modRevision: number,
  asStored: boolean,
  allocate?: AllocateBytes,
): CachedObject {
  const { json, labels, fields } = decodeStoredJson(spliced, modRevision, allocate);
  return new CachedObject({ key, modRevision, json, labelsSpan: labels, fields, asStored }, reader);
}

function startsWith(bytes: Uint8Array, opening: Buffer | undefined): boolean {
  return opening !== undefined && bytes.length >= opening.length && opening.equals(bytes.subarray(0, opening.length));
}
