import type { ApiObject } from "../contract/api-object.ts";
import { inTurns, LARGE_BYTES } from "../lib/in-turns.ts";
import { CasFailedError } from "../store/errors.ts";
import type { PutResult, Store, StoreEntry } from "../store/store.ts";
import { type PrintedMembers, readsAs, storedJsonText } from "../store/value/stored-json.ts";
import type { CachedObject, PlainObject } from "../watch/cached-object.ts";
import { readAhead } from "../watch/read-ahead.ts";
import type { StoredValueCodec } from "./stored-value-codec.ts";

/** The current state of an object in the store. */
export interface LiveObject {
  /** The decoded object, which the caller may change. Parsed on first access, because many writes need only the bytes. */
  readonly object: ApiObject;
  readonly revision: number;
  /** Canonical JSON of the object, for responses. */
  readonly json: Buffer;
  /** The object as the watch cache holds it, or would hold it. Its encodings are made once and shared by the response and by watches. */
  readonly cached?: CachedObject;
  /** Set on the result of a dry-run create: the resourceVersion in its JSON has no meaning. */
  readonly unversioned?: true;
  /** Whether the stored form (version, encryption key) differs from the one that writes use now. Even an update without changes then rewrites it. */
  readonly stale?: boolean;
  /** Whether the object has not changed since its creation. */
  readonly fresh?: boolean;
}

/** An object with its stored value, or with the value to store. The value is undefined if the JSON is sufficient to compare objects. */
export interface StoredObject extends LiveObject {
  readonly value: Uint8Array | undefined;
}

export interface ObjectStoreParts {
  readonly store: Store;
  readonly codec: StoredValueCodec;
  /** Returns the cached object of a key, if the watch cache contains it. */
  readonly present: (key: string) => CachedObject | undefined;
  /** Whether a cached object carries all information of the stored value. Applies only to cached objects that are `asStored`. */
  readonly presentTellsAll: boolean;
}

type EntryToRead = Pick<StoreEntry, "value" | "modRevision"> & Partial<StoreEntry>;

/** Objects of one kind in the store. Writes compare revisions. Failed writes throw the errors of the store, such as `CasFailedError`. */
export class ObjectStore {
  readonly #parts: ObjectStoreParts;
  /**
   * Cached objects that a write found to be older than the stored ones. Without this set, a retried write would read the same outdated object
   * forever.
   */
  readonly #outdated = new WeakSet<CachedObject>();

  constructor(parts: ObjectStoreParts) {
    this.#parts = parts;
  }

  /** Returns the object of a key if it is in memory, small, and fully described by its JSON. Pass the result to `get` of the same request. */
  peek(key: string): LiveObject | undefined {
    const present = this.#present(key);
    const isAtHand = present?.asStored && present.isAllInJson && !present.isCold && present.size < LARGE_BYTES;
    return isAtHand && present.corruption === undefined ? this.#live(present, undefined) : undefined;
  }

  /** Returns the object of a key. `peeked` is returned without parsing again if it is still current. */
  async get(key: string, peeked?: LiveObject): Promise<StoredObject | undefined> {
    const present = this.#present(key);
    if (present?.asStored) {
      if (peeked instanceof ParsedWhenAsked && peeked.isOf(present)) return peeked;
      // Reading from disk blocks, so another thread reads ahead. The object may change in the meantime.
      const reading = present.isCold ? readAhead([present]) : undefined;
      if (reading !== undefined) {
        await reading;
        if (this.#parts.present(key) !== present) return this.get(key);
      }
      const live = this.#live(present, undefined);
      if (live.json.length >= LARGE_BYTES) await live.load();
      return live;
    }
    const entry = await this.#parts.store.get(key);
    return entry && this.load(key, entry);
  }

  /** Returns the object from the cache, unless only the store has all information or a write found the cached object to be outdated. */
  #present(key: string): CachedObject | undefined {
    const present = this.#parts.presentTellsAll ? this.#parts.present(key) : undefined;
    return present !== undefined && this.#outdated.has(present) ? undefined : present;
  }

  /** Returns the object of a key if its stored form is outdated: it is stale or was written with other defaults. */
  async getOutdated(key: string): Promise<LiveObject | undefined> {
    const entry = await this.#parts.store.get(key);
    if (entry === undefined) return undefined;
    const live = await this.load(key, entry);
    return live.stale || !this.#parts.codec.isComplete(entry.value, key) ? live : undefined;
  }

  /** Like `read`, but a large entry is parsed in several turns of the event loop. */
  async load(key: string, entry: EntryToRead): Promise<StoredObject> {
    if (entry.value.length < LARGE_BYTES) return this.read(key, entry);
    await this.#parts.codec.prepare(entry.value);
    const live = this.read(key, entry);
    await live.load();
    return live;
  }

  /** Decodes an entry of the store. Throws the recorded error if the entry is corrupt. */
  read(key: string, entry: EntryToRead): ParsedWhenAsked {
    const cached = this.#parts.codec.decodeOnce(key, entry.value, entry.modRevision);
    const stale = cached.corruption === undefined && (entry.stale ?? !this.#parts.codec.isCurrent(entry.value, key));
    return this.#live(cached, entry.value, { stale, fresh: entry.createRevision === entry.modRevision });
  }

  /** Decodes a value to an object without a resourceVersion. Throws if the value cannot be read. */
  decode(key: string, value: Uint8Array): ApiObject {
    return this.#parts.codec.read(key, value);
  }

  /** Writes the object if the key has revision `expected` (0: the key must be absent). Resolves with the object as it is now stored. */
  async put(key: string, object: ApiObject, expected: number, ttlSeconds?: number): Promise<LiveObject> {
    return this.putEncoded(key, this.encode(key, object), expected, { ttlSeconds });
  }

  /**
   * Like `put` without the limit of size, for an object that is only marked for deletion or stored in another form. Otherwise objects that an
   * earlier server stored above the limit could never be removed.
   */
  async rewrite(key: string, object: ApiObject, expected: number, ttlSeconds?: number): Promise<LiveObject> {
    return this.#write(key, this.encode(key, object), expected, ttlSeconds);
  }

  /** Like `rewrite`, for a value that is already encoded. A large object is parsed in several turns of the event loop. */
  async rewriteEncoded(key: string, value: Uint8Array, expected: number, ttlSeconds?: number): Promise<LiveObject> {
    const written = await this.#write(key, value, expected, ttlSeconds);
    if (value.length >= LARGE_BYTES) await written.load();
    return written;
  }

  /** Encodes an object as a stored value. `printed` is the JSON of some of its members, if the caller has it already. */
  encode(key: string, object: ApiObject, printed?: PrintedMembers): Uint8Array {
    return this.#parts.codec.encode(object as unknown as PlainObject, key, printed);
  }

  /**
   * Like `encode`, for a large object: works in several turns of the event loop, and prepares the value so that decoding it takes short turns too.
   */
  async encodeLarge(key: string, object: ApiObject): Promise<Uint8Array> {
    const { codec } = this.#parts;
    const value = await inTurns(codec.encodeSteps(object as unknown as PlainObject, key));
    await codec.prepare(value);
    return value;
  }

  /** Whether storing a value would change nothing. */
  holds(key: string, live: StoredObject, value: Uint8Array): boolean {
    if (live.value === undefined) {
      return readsAs(value, live.json, live.revision);
    }
    const text = storedJsonText(value);
    const liveText = storedJsonText(live.value);
    if (text !== undefined && liveText !== undefined) {
      return Buffer.compare(text, liveText) === 0;
    }
    if (Buffer.compare(value, live.value) === 0) return true;
    if (!this.previewEncoded(key, value, live.revision).json.equals(live.json)) return false;
    // A default that was only set on reading now has to be written, as kube-apiserver does.
    return this.#parts.codec.storeAlike(key, value, live.value);
  }

  /**
   * Like `put`, for a value that is already encoded. Throws TooLargeError if the object is too large and larger than `live`. Pass the current
   * object as `live` to permit updates that shrink an oversized object.
   */
  async putEncoded(
    key: string,
    value: Uint8Array,
    expected: number,
    { ttlSeconds, live }: { readonly ttlSeconds?: number | undefined; readonly live?: LiveObject } = {},
  ): Promise<LiveObject> {
    const bytes = this.#parts.codec.sizeInEtcd(value);
    const known = live?.json.length ?? 0;
    if (bytes !== undefined && (storedJsonText(value) ?? value).length > known) {
      const { checkRequestSize } = await import("../store/request-limit.ts");
      const withoutOwners = (bytes.jsonWithoutOwners ?? 0) > known ? bytes.withoutOwners : undefined;
      checkRequestSize(key, { all: bytes.all, withoutOwners }, expected);
    }
    return this.#write(key, value, expected, ttlSeconds);
  }

  async #write(key: string, value: Uint8Array, expected: number, ttlSeconds?: number): Promise<ParsedWhenAsked> {
    const options = ttlSeconds === undefined ? { expected } : { expected, ttlSeconds };
    const { revision, value: stored = value } = await this.#compared(
      key,
      expected,
      this.#parts.store.put(key, value, options),
    );
    const present = this.#parts.present(key);
    const isRead = present?.modRevision === revision;
    return this.#live(isRead ? present : this.#parts.codec.decodeOnce(key, stored, revision), stored);
  }

  /** Returns what `put` would store, at a given revision (0 for a dry-run create). */
  preview(key: string, object: ApiObject, revision: number): StoredObject {
    return this.previewEncoded(key, this.encode(key, object), revision);
  }

  previewEncoded(key: string, value: Uint8Array, revision: number): StoredObject {
    return this.#live(this.#parts.codec.decodeOnce(key, value, revision), value);
  }

  async delete(key: string, expected: number): Promise<number> {
    const { revision } = await this.#compared(key, expected, this.#parts.store.delete(key, { expected }));
    return revision;
  }

  /** Awaits a write. After a conflict, marks the cached object as outdated if it still has the expected revision. */
  async #compared(key: string, expected: number, write: Promise<PutResult>): Promise<PutResult> {
    try {
      return await write;
    } catch (error) {
      const present = this.#parts.present(key);
      if (error instanceof CasFailedError && present?.modRevision === expected) this.#outdated.add(present);
      throw error;
    }
  }

  /** Throws the recorded error if the object is corrupt. */
  #live(cached: CachedObject, value: Uint8Array | undefined, age: Age = {}): ParsedWhenAsked {
    if (cached.corruption !== undefined) {
      throw cached.corruption;
    }
    return new ParsedWhenAsked(cached, value, age);
  }

  /** Deletes the value of a key without decoding it. */
  async removeUnread(key: string): Promise<void> {
    const entry = await this.#parts.store.get(key);
    if (entry !== undefined) {
      await this.#parts.store.delete(key, { expected: entry.modRevision });
    }
  }
}

type Age = Pick<LiveObject, "stale" | "fresh">;

class ParsedWhenAsked implements StoredObject {
  readonly revision: number;
  readonly json: Buffer;
  readonly value: Uint8Array | undefined;
  readonly stale: boolean;
  readonly fresh: boolean;
  readonly cached: CachedObject;
  #object: ApiObject | undefined;

  constructor(cached: CachedObject, value: Uint8Array | undefined, age: Age) {
    this.revision = cached.modRevision;
    this.json = cached.json;
    this.value = value;
    this.stale = age.stale === true;
    this.fresh = age.fresh === true;
    this.cached = cached;
  }

  isOf(cached: CachedObject): boolean {
    return this.cached === cached;
  }

  get object(): ApiObject {
    this.#object ??= this.cached.parse() as unknown as ApiObject;
    return this.#object;
  }

  /** Parses a large object in several turns of the event loop, before the first access to `object`. */
  async load(): Promise<void> {
    this.#object ??= (await this.cached.parseLarge()) as unknown as ApiObject;
  }
}
