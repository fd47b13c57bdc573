import type { AllocateBytes } from "../lib/byte-arena.ts";
import type { CachedObject } from "./cached-object.ts";

/** Decodes stored values for the cache of one resource. The server injects one codec per kind; the cache itself knows no object format. */
export interface ObjectCodec {
  /**
   * Decodes a stored value into a cached object. Must not throw: a value that cannot be read becomes an object with `corruption`, so that
   * only reads of that object fail. Does not refer to `value` afterwards; the object's bytes come from `allocate` if given.
   */
  decode(key: string, value: Uint8Array, modRevision: number, allocate?: AllocateBytes): CachedObject;

  /** `decode` for an object that no cache will hold: derived values are kept on the object itself, outside of any budget. */
  decodeOnce(key: string, value: Uint8Array, modRevision: number): CachedObject;

  /** The same object with another resourceVersion, for a DELETED event. */
  withRevision(object: CachedObject, modRevision: number): CachedObject;
}
