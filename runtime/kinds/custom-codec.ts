import type { ApiObject } from "../contract/api-object.ts";
import { stringifyJson } from "../encoding/json/stringify-json.ts";
import type { AllocateBytes } from "../lib/byte-arena.ts";
import type { ValueTransformer } from "../store/encryption/value-transformer.ts";
import { CorruptError } from "../store/errors.ts";
import { decodeStoredJson, isStoredJson } from "../store/value/stored-json.ts";
import type { PlainObject } from "../watch/cached-object.ts";
import { CachedObject, type ObjectReader } from "../watch/cached-object.ts";
import type { ObjectCodec } from "../watch/codec.ts";
import { StoredObjectCodec } from "../watch/stored-object-codec.ts";
import { parseObject } from "./object-codec.ts";

export interface CustomCodecParts {
  readonly reader: ObjectReader;
  /** Absent where values are stored as they are. */
  readonly transformer?: ValueTransformer | undefined;
  /** An object as it was stored, in whatever version, as this version shows it. */
  readonly fromStored: (object: ApiObject) => ApiObject;
  /** An object of this version in the version that is stored. */
  readonly toStored: (object: ApiObject) => ApiObject;
  /** `group/version` of the version that is stored. */
  readonly storedVersion: string;
}

/**
 * Reads and writes objects of one version of a custom kind. Definitions change while objects stay: what is read is
 * brought in line with the schema of today, whatever it was stored under.
 */
export class CustomObjectCodec implements ObjectCodec {
  readonly #parts: CustomCodecParts;
  readonly #inner: StoredObjectCodec;

  constructor(parts: CustomCodecParts) {
    this.#parts = parts;
    this.#inner = new StoredObjectCodec({ reader: parts.reader });
  }

  /** The value to put into the embedded store. */
  encode(object: ApiObject): Buffer {
    return this.#inner.encode(this.#parts.toStored(object) as unknown as PlainObject);
  }

  /** The value Kubernetes itself would store. */
  encodePlain(object: ApiObject): Buffer {
    const { resourceVersion: _version, ...metadata } = object.metadata;
    return Buffer.from(`${stringifyJson(this.#parts.toStored({ ...object, metadata }))}\n`);
  }

  decode(key: string, value: Uint8Array, modRevision: number, allocate?: AllocateBytes): CachedObject {
    try {
      const { transformer } = this.#parts;
      const opened = transformer === undefined ? value : transformer.open(key, value).value;
      const json = isStoredJson(opened) ? decodeStoredJson(opened, modRevision).json : Buffer.from(opened);
      const shown = this.#parts.fromStored(parseObject(json));
      return this.#inner.decode(key, this.#inner.encode(shown as unknown as PlainObject), modRevision, allocate);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const corruption = new CorruptError(key, `the stored value cannot be read: ${reason}`, { cause });
      return CachedObject.corrupt(key, modRevision, corruption, this.#parts.reader);
    }
  }

  /** Whether a stored value, opened, is in the version that is stored now. */
  isCurrent(value: Uint8Array): boolean {
    // Without a revision in it, ours need not be JSON.
    const text = isStoredJson(value) ? decodeStoredJson(value, 0).json : Buffer.from(value);
    const version = JSON.stringify(this.#parts.storedVersion);
    // Most begin with it, ours and those of Kubernetes; whatever else is there has to be read.
    if (text.indexOf(`{"apiVersion":${version},`) === 0) return true;
    return parseObject(text).apiVersion === this.#parts.storedVersion;
  }

  withRevision(object: CachedObject, modRevision: number): CachedObject {
    return this.#inner.withRevision(object, modRevision);
  }
}
