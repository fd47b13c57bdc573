import type { AllocateBytes } from "../lib/byte-arena.ts";
import { refuseEncrypted } from "../store/encryption/prefix-transformer.ts";
import { CorruptError } from "../store/errors.ts";
import { decodeStoredJson, encodeStoredJson, storedJsonText } from "../store/value/stored-json.ts";
import type { PlainObject } from "./cached-object.ts";
import { CachedObject, type ObjectReader } from "./cached-object.ts";
import type { ObjectCodec } from "./codec.ts";

const OPEN_BRACE = 0x7b;

export interface StoredObjectCodecOptions {
  readonly reader: ObjectReader;
  /** Reads values in another format than JSON, such as the `k8s\0` protobuf envelope; throws when it cannot. */
  readonly decodeForeign?: (value: Uint8Array) => PlainObject;
  /** Decrypts values; absent where they are stored as they are. Throws what it cannot. */
  readonly open?: (key: string, value: Uint8Array) => Uint8Array;
  /** For kinds that may be stored in several versions. */
  readonly upgrade?: VersionUpgrade;
}

/** Brings objects that were stored in another version to the one the cache holds. */
export interface VersionUpgrade {
  /** Whether JSON needs no upgrade, without parsing it. May say no where it is not sure. */
  isCurrent(json: Uint8Array): boolean;
  /** Returns what is current as it is; throws when the version is unknown. */
  convert(object: PlainObject): PlainObject;
}

/**
 * Reads objects however they were stored, by how the value begins: spliced JSON (the embedded store), plain JSON (custom
 * resources in etcd) and whatever `decodeForeign` knows. All become the same cached object.
 */
export class StoredObjectCodec implements ObjectCodec {
  readonly #reader: ObjectReader;
  readonly #decodeForeign: ((value: Uint8Array) => PlainObject) | undefined;
  readonly #open: ((key: string, value: Uint8Array) => Uint8Array) | undefined;
  readonly #upgrade: VersionUpgrade | undefined;

  constructor(options: StoredObjectCodecOptions) {
    this.#reader = options.reader;
    this.#decodeForeign = options.decodeForeign;
    this.#open = options.open;
    this.#upgrade = options.upgrade;
  }

  /** The value to put into the embedded store for an object. */
  encode(object: PlainObject): Buffer {
    return encodeStoredJson(object, {
      fields: this.#reader.selectableFields(object),
      stringify: (value) => this.#reader.stringify(value),
    });
  }

  decode(key: string, value: Uint8Array, modRevision: number, allocate?: AllocateBytes): CachedObject {
    try {
      const opened = this.#open === undefined ? value : this.#open(key, value);
      const current = this.#currentForm(opened);
      return this.#fromStored(key, current, modRevision, current === value, allocate);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const corruption = new CorruptError(key, `the stored value cannot be read: ${reason}`, { cause });
      return CachedObject.corrupt(key, modRevision, corruption, this.#reader);
    }
  }

  withRevision(object: CachedObject, modRevision: number): CachedObject {
    return this.#fromStored(object.key, this.encode(object.objectOnce), modRevision, false);
  }

  /** The value as this codec would write it: most are already. */
  #currentForm(value: Uint8Array): Uint8Array {
    const json = storedJsonText(value);
    if (json !== undefined && this.#upgrade?.isCurrent(json) !== false) return value;
    const object = json === undefined ? this.#readOther(value) : this.#reader.parse(asBuffer(json));
    return this.encode(this.#upgrade?.convert(object) ?? object);
  }

  #readOther(value: Uint8Array): PlainObject {
    if (value[0] === OPEN_BRACE) return this.#reader.parse(Buffer.from(value));
    refuseEncrypted(value);
    if (this.#decodeForeign === undefined) throw new Error("it is in no format known here");
    return this.#decodeForeign(value);
  }

  #fromStored(
    key: string,
    stored: Uint8Array,
    modRevision: number,
    asStored: boolean,
    allocate?: AllocateBytes,
  ): CachedObject {
    const { json, labels, fields } = decodeStoredJson(stored, modRevision, allocate);
    return new CachedObject({ key, modRevision, json, labelsSpan: labels, fields, asStored }, this.#reader);
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
