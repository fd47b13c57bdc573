import type { AllocateBytes } from "../lib/byte-arena.ts";
import type { CachedObject } from "./cached-object.ts";

/**
 * How the cache of one resource reads what the store holds. The server injects one per kind; the cache itself knows no
 * object format.
 */
export interface ObjectCodec {
  /**
   * Turns a stored value into a cached object. Must not throw: a value that cannot be read becomes a cached object
   * whose `corruption` says why, so that it fails the reads of that object and nothing else. Keeps nothing of `value`;
   * the object's bytes come from `allocate` when given.
   */
  decode(key: string, value: Uint8Array, modRevision: number, allocate?: AllocateBytes): CachedObject;

  /** `decode` of an object that no cache will hold: what is remembered about it is its own, and goes with it. */
  decodeOnce(key: string, value: Uint8Array, modRevision: number): CachedObject;

  /** The same object with another resourceVersion: what a DELETED event shows. */
  withRevision(object: CachedObject, modRevision: number): CachedObject;
}
