import type { ApiObject } from "../contract/api-object.ts";
import type { Store, StoreEntry } from "../store/store.ts";
import { readsAs, storedJsonText } from "../store/value/stored-json.ts";
import type { CachedObject, PlainObject } from "../watch/cached-object.ts";
import type { StoredValueCodec } from "./stored-value-codec.ts";

/** An object as the store holds it right now. */
export interface LiveObject {
  /** Belongs to the caller. Parsed when first asked for: many writes only need the bytes of what they wrote. */
  readonly object: ApiObject;
  readonly revision: number;
  /** Its canonical JSON, to answer with. */
  readonly json: Buffer;
  /** It was only tried to create it: the version in its JSON means nothing. */
  readonly unversioned?: true;
  /** It lies there in another version than writes use now: even a write that changes nothing brings it up to date. */
  readonly stale?: boolean;
  /** It lies there as it was created. */
  readonly fresh?: boolean;
}

/** An object and the value the store holds, or would hold, for it; absent where its JSON tells that. */
export interface StoredObject extends LiveObject {
  readonly value: Uint8Array | undefined;
}

export interface ObjectStoreParts {
  readonly store: Store;
  readonly codec: StoredValueCodec;
  /** What the store holds under a key, where somebody has it in memory. */
  readonly present: (key: string) => CachedObject | undefined;
  /** Whether that tells all that the stored value does, for objects that are `asStored`. */
  readonly presentTellsAll: boolean;
}

/** Objects of one kind in the store. Writes compare revisions; failures are those of the store (`CasFailedError` …). */
export class ObjectStore {
  readonly #parts: ObjectStoreParts;

  constructor(parts: ObjectStoreParts) {
    this.#parts = parts;
  }

  async get(key: string): Promise<StoredObject | undefined> {
    const present = this.#parts.presentTellsAll ? this.#parts.present(key) : undefined;
    if (present?.asStored) {
      return this.#live(present, undefined);
    }
    const entry = await this.#parts.store.get(key);
    if (entry === undefined) {
      return undefined;
    }
    return this.read(key, entry);
  }

  /** An entry of the store as an object. Throws the corruption of one that cannot be read. */
  read(key: string, entry: Pick<StoreEntry, "value" | "modRevision"> & Partial<StoreEntry>): StoredObject {
    const cached = this.#parts.codec.decode(key, entry.value, entry.modRevision);
    const stale = cached.corruption === undefined && (entry.stale ?? !this.#parts.codec.isCurrent(entry.value, key));
    return this.#live(cached, entry.value, { stale, fresh: entry.createRevision === entry.modRevision });
  }

  /** Writes the object if the key is at `expected` (0: absent). Resolves with the object as it is now stored. */
  async put(key: string, object: ApiObject, expected: number, ttlSeconds?: number): Promise<LiveObject> {
    return this.putEncoded(key, this.encode(key, object), expected, ttlSeconds);
  }

  /** The value stored for an object. */
  encode(key: string, object: ApiObject): Uint8Array {
    return this.#parts.codec.encode(object as unknown as PlainObject, key);
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
    return this.previewEncoded(key, value, live.revision).json.equals(live.json);
  }

  /** `put` of a value encoded before. */
  async putEncoded(key: string, value: Uint8Array, expected: number, ttlSeconds?: number): Promise<LiveObject> {
    const options = ttlSeconds === undefined ? { expected } : { expected, ttlSeconds };
    const { revision, value: stored = value } = await this.#parts.store.put(key, value, options);
    const present = this.#parts.present(key);
    const isRead = present?.modRevision === revision;
    return this.#live(isRead ? present : this.#parts.codec.decode(key, stored, revision), stored);
  }

  /** What `put` would store, at a given revision (none for a dry run that creates). */
  preview(key: string, object: ApiObject, revision: number): StoredObject {
    return this.previewEncoded(key, this.encode(key, object), revision);
  }

  previewEncoded(key: string, value: Uint8Array, revision: number): StoredObject {
    return this.#live(this.#parts.codec.decode(key, value, revision), value);
  }

  async delete(key: string, expected: number): Promise<number> {
    const { revision } = await this.#parts.store.delete(key, { expected });
    return revision;
  }

  /** Throws the corruption of an object that cannot be read. */
  #live(cached: CachedObject, value: Uint8Array | undefined, age: Age = {}): StoredObject {
    if (cached.corruption !== undefined) {
      throw cached.corruption;
    }
    return new ParsedWhenAsked(cached, value, age);
  }

  /** Removes a value without understanding it. */
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
  readonly #parse: () => PlainObject;
  #object: ApiObject | undefined;

  constructor(cached: CachedObject, value: Uint8Array | undefined, age: Age) {
    this.revision = cached.modRevision;
    this.json = cached.json;
    this.value = value;
    this.stale = age.stale === true;
    this.fresh = age.fresh === true;
    this.#parse = () => cached.parse();
  }

  get object(): ApiObject {
    this.#object ??= this.#parse() as unknown as ApiObject;
    return this.#object;
  }
}
