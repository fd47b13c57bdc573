import type { ApiObject } from "../contract/api-object.ts";
import { inTurns, LARGE_BYTES } from "../lib/in-turns.ts";
import { CasFailedError } from "../store/errors.ts";
import type { PutResult, Store, StoreEntry } from "../store/store.ts";
import { type PrintedMembers, readsAs, storedJsonText } from "../store/value/stored-json.ts";
import type { CachedObject, PlainObject } from "../watch/cached-object.ts";
import { readAhead } from "../watch/read-ahead.ts";
import type { StoredValueCodec } from "./stored-value-codec.ts";

/** An object as the store holds it right now. */
export interface LiveObject {
  /** The caller may change it. Parsed at the first access, as many writes only need the bytes. */
  readonly object: ApiObject;
  readonly revision: number;
  /** Its canonical JSON, for responses. */
  readonly json: Buffer;
  /** The same as the watch cache holds it, or would hold it: its encodings are made once for the response and for watches. */
  readonly cached?: CachedObject;
  /** Result of a dry-run create: the resourceVersion in its JSON has no meaning. */
  readonly unversioned?: true;
  /** It is not stored as writes store it now (version, encryption key): even an update without changes rewrites it. */
  readonly stale?: boolean;
  /** It was not changed since its creation. */
  readonly fresh?: boolean;
}

/** An object and its stored value, or the value to store; undefined if its JSON is enough to compare. */
export interface StoredObject extends LiveObject {
  readonly value: Uint8Array | undefined;
}

export interface ObjectStoreParts {
  readonly store: Store;
  readonly codec: StoredValueCodec;
  /** The object of a key from the watch cache, if it is there. */
  readonly present: (key: string) => CachedObject | undefined;
  /** Whether the cached object has all information of the stored value, if it is `asStored`. */
  readonly presentTellsAll: boolean;
}

type EntryToRead = Pick<StoreEntry, "value" | "modRevision"> & Partial<StoreEntry>;

/** Objects of one kind in the store. Writes compare revisions; failures are those of the store (`CasFailedError` …). */
export class ObjectStore {
  readonly #parts: ObjectStoreParts;
  /** Objects of the cache that a write has found to be behind the store. Without it, a write that is tried again would find the same one for ever. */
  readonly #outdated = new WeakSet<CachedObject>();

  constructor(parts: ObjectStoreParts) {
    this.#parts = parts;
  }

  /** The object of a key if it is in memory, is not large and its JSON says everything about it; for `get` in the same request. */
  peek(key: string): LiveObject | undefined {
    const present = this.#present(key);
    const isAtHand = present?.asStored && present.isAllInJson && !present.isCold && present.size < LARGE_BYTES;
    return isAtHand && present.corruption === undefined ? this.#live(present, undefined) : undefined;
  }

  /** `peeked` is returned if it is still the object of the key: then it is not parsed again. */
  async get(key: string, peeked?: LiveObject): Promise<StoredObject | undefined> {
    const present = this.#present(key);
    if (present?.asStored) {
      if (peeked instanceof ParsedWhenAsked && peeked.isOf(present)) return peeked;
      // Where reads wait for a disk, another thread waits. The object may change meanwhile.
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

  /** Of the cache, unless only the store tells all. */
  #present(key: string): CachedObject | undefined {
    const present = this.#parts.presentTellsAll ? this.#parts.present(key) : undefined;
    return present !== undefined && this.#outdated.has(present) ? undefined : present;
  }

  /** The object of a key if it is not stored as writes store it now: it is stale, or was written with other defaults. */
  async getOutdated(key: string): Promise<LiveObject | undefined> {
    const entry = await this.#parts.store.get(key);
    if (entry === undefined) return undefined;
    const live = await this.load(key, entry);
    return live.stale || !this.#parts.codec.isComplete(entry.value, key) ? live : undefined;
  }

  /** `read` of an entry that may be large, which is then parsed in several turns of the event loop. */
  async load(key: string, entry: EntryToRead): Promise<StoredObject> {
    if (entry.value.length < LARGE_BYTES) return this.read(key, entry);
    await this.#parts.codec.prepare(entry.value);
    const live = this.read(key, entry);
    await live.load();
    return live;
  }

  /** Decodes an entry of the store. Throws the error of a corrupt one. */
  read(key: string, entry: EntryToRead): ParsedWhenAsked {
    const cached = this.#parts.codec.decodeOnce(key, entry.value, entry.modRevision);
    const stale = cached.corruption === undefined && (entry.stale ?? !this.#parts.codec.isCurrent(entry.value, key));
    return this.#live(cached, entry.value, { stale, fresh: entry.createRevision === entry.modRevision });
  }

  /** Decodes a value to an object without a resourceVersion. Throws for a value that cannot be read. */
  decode(key: string, value: Uint8Array): ApiObject {
    return this.#parts.codec.read(key, value);
  }

  /** Writes the object if the key is at `expected` (0: absent). Resolves with the object as it is now stored. */
  async put(key: string, object: ApiObject, expected: number, ttlSeconds?: number): Promise<LiveObject> {
    return this.putEncoded(key, this.encode(key, object), expected, { ttlSeconds });
  }

  /**
   * The same for an object that is only marked for its deletion, or stored in another form: larger ones of an earlier server must not stay
   * for ever.
   */
  async rewrite(key: string, object: ApiObject, expected: number, ttlSeconds?: number): Promise<LiveObject> {
    return this.#write(key, this.encode(key, object), expected, ttlSeconds);
  }

  /** `rewrite` of a value encoded before; a large object is parsed in several turns of the event loop. */
  async rewriteEncoded(key: string, value: Uint8Array, expected: number, ttlSeconds?: number): Promise<LiveObject> {
    const written = await this.#write(key, value, expected, ttlSeconds);
    if (value.length >= LARGE_BYTES) await written.load();
    return written;
  }

  /** The value stored for an object; `printed` is the JSON of members of it, if that is known. */
  encode(key: string, object: ApiObject, printed?: PrintedMembers): Uint8Array {
    return this.#parts.codec.encode(object as unknown as PlainObject, key, printed);
  }

  /** The same for a large object, in several turns of the event loop, and so that reading the value takes short turns, too. */
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
    // A default that only reading sets is written, as by kube-apiserver.
    return this.#parts.codec.storeAlike(key, value, live.value);
  }

  /** `put` of a value encoded before. An object that is too large may get smaller: then it is given as it is. */
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

  /** What `put` would store, at a given revision (none for a dry run that creates). */
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

  /** The result of a write, and after a conflict the note that the cache is behind, if it still has the revision that was expected. */
  async #compared(key: string, expected: number, write: Promise<PutResult>): Promise<PutResult> {
    try {
      return await write;
    } catch (error) {
      const present = this.#parts.present(key);
      if (error instanceof CasFailedError && present?.modRevision === expected) this.#outdated.add(present);
      throw error;
    }
  }

  /** Throws the error of a corrupt object. */
  #live(cached: CachedObject, value: Uint8Array | undefined, age: Age = {}): ParsedWhenAsked {
    if (cached.corruption !== undefined) {
      throw cached.corruption;
    }
    return new ParsedWhenAsked(cached, value, age);
  }

  /** Deletes a value without decoding it. */
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

  /** Parses a large object in several turns of the event loop, before it is asked for. */
  async load(): Promise<void> {
    this.#object ??= (await this.cached.parseLarge()) as unknown as ApiObject;
  }
}
