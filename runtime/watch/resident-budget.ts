import { type AllocateBytes, newScratch } from "../lib/byte-arena.ts";
import { CompactedError } from "../store/errors.ts";
import type { DirectReads } from "../store/store.ts";
import { decodeStoredJson } from "../store/value/stored-json.ts";
import type { CachedObject, JsonSource } from "./cached-object.ts";

/** How many objects that were used one eviction passes over: eviction takes constant time even when all were. */
const MOST_SPARED = 16;
/** Of the objects that are read again one in so many stays: a list that is larger than the budget leaves most of what is there. */
const ADMIT_ONE_IN = 8;
/** Larger objects are read into memory of their own. */
const LARGEST_SCRATCH = 1024 * 1024;
/** So many superseded objects are noted before those are looked for that nothing refers to any more. */
const FIRST_SWEEP = 1024;

/**
 * Bounds the memory of the JSON of cached objects, of all resources together. Beyond the limit the objects that were added first lose
 * their bytes, those used in the meantime being spared once (second chance), and read them from the store when they are needed.
 * An object that was superseded reads them from the history of the store, and gets them back before the store forgets them.
 */
export class ResidentBudget {
  readonly #limit: number;
  /** The object that was added first, and last. */
  #oldest: CachedObject | undefined;
  #newest: CachedObject | undefined;
  /** Cold objects that were superseded, by revision: they may be part of responses and past states that are still in use. */
  readonly #superseded = new Map<number, WeakRef<CachedObject>>();
  #sweepAt = FIRST_SWEEP;
  #used = 0;
  #dropped = 0;
  #reads = 0;
  /** What was read last: those that need an object often need its bytes more than once. */
  readonly #scratch: AllocateBytes = newScratch();
  #last: { readonly object: CachedObject; readonly json: Buffer } | undefined;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  get usedBytes(): number {
    return this.#used;
  }

  get limitBytes(): number {
    return this.#limit;
  }

  /** How often an object lost its bytes, or did not keep them. */
  get dropped(): number {
    return this.#dropped;
  }

  /** How often bytes were read from the store again. */
  get reads(): number {
    return this.#reads;
  }

  /** Whether another object of this size would make others lose their bytes. */
  isFullFor(bytes: number): boolean {
    return this.#used + bytes > this.#limit;
  }

  /** The objects of one cache. `changed` is called when some lose bytes, or keep them again. */
  over(reads: DirectReads, changed: (bytes: number) => void): ResidentObjects {
    reads.beforeForgetting(this.#beforeForgetting);
    return new ResidentObjects(this, reads, changed);
  }

  add(object: CachedObject): void {
    object.recent = false;
    this.#link(object);
    this.#used += object.size;
    this.#evict();
  }

  /** Says whether it was counted. */
  remove(object: CachedObject): boolean {
    if (!this.#isLinked(object)) return false;
    this.#unlink(object);
    this.#used -= object.size;
    return true;
  }

  /** The object is not current any more. Says whether it has lost its bytes now. */
  supersede(object: CachedObject): boolean {
    const wasCounted = this.remove(object);
    // Under pressure it must not stay in memory as long as a response or a past state refers to it.
    const isDropped = wasCounted && this.#used * 2 > this.#limit;
    if (isDropped) object.dropBytes();
    if (object.isCold) this.#noteSuperseded(object);
    return isDropped;
  }

  #noteSuperseded(object: CachedObject): void {
    this.#superseded.set(object.modRevision, new WeakRef(object));
    if (this.#superseded.size < this.#sweepAt) return;
    for (const [revision, reference] of this.#superseded) {
      if (reference.deref() === undefined) this.#superseded.delete(revision);
    }
    this.#sweepAt = Math.max(FIRST_SWEEP, this.#superseded.size * 2);
  }

  /** Reads the bytes of a cold object; `admit` may make it keep them. */
  read(object: CachedObject, reads: DirectReads, admit: (json: Buffer) => void): Buffer {
    if (this.#last?.object === object) return this.#last.json;
    const json = jsonAt(object, reads);
    this.#last = { object, json };
    this.#reads += 1;
    if (this.#reads % ADMIT_ONE_IN === 0 && json.length <= this.#limit) admit(json);
    else this.#dropped += 1;
    return json;
  }

  /** The same in memory that is used again for the next one, if the object does not keep its bytes. */
  readOnce(object: CachedObject, reads: DirectReads, admit: (json: Buffer) => void): Buffer {
    const isAdmitted = (this.#reads + 1) % ADMIT_ONE_IN === 0;
    if (isAdmitted || object.size > LARGEST_SCRATCH || this.#last?.object === object)
      return this.read(object, reads, admit);
    this.#reads += 1;
    this.#dropped += 1;
    return jsonAt(object, reads, this.#scratch);
  }

  readonly #beforeForgetting = (revisions: readonly number[]): void => {
    if (this.#superseded.size === 0) return;
    for (const revision of revisions) {
      const object = this.#superseded.get(revision)?.deref();
      this.#superseded.delete(revision);
      try {
        if (object?.isCold) object.keepBytes(object.json);
      } catch {
        // Its readers will get the error. The commit that drops the record must not fail for it.
      }
    }
  };

  #evict(): void {
    let spared = 0;
    while (this.#used > this.#limit && this.#oldest !== undefined) {
      const object = this.#oldest;
      this.#unlink(object);
      if (object.recent && spared < MOST_SPARED) {
        spared += 1;
        object.recent = false;
        // The chunk of memory that it was loaded into can go with its neighbours.
        object.ownBytes();
        this.#link(object);
        continue;
      }
      this.#used -= object.size;
      this.#dropped += 1;
      object.dropBytes();
      (object.source as ResidentObjects).changed(-object.size);
    }
  }

  #isLinked(object: CachedObject): boolean {
    return object.older !== undefined || this.#oldest === object;
  }

  #link(object: CachedObject): void {
    object.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = object;
    else this.#newest.newer = object;
    this.#newest = object;
  }

  #unlink(object: CachedObject): void {
    const { older, newer } = object;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    object.older = undefined;
    object.newer = undefined;
  }
}

/** The objects of one cache that may lose their bytes: what the store holds as they are in memory. */
export class ResidentObjects implements JsonSource {
  /** Called when objects lose bytes, or keep them again. */
  readonly changed: (bytes: number) => void;
  readonly #budget: ResidentBudget;
  readonly #reads: DirectReads;
  /** Of superseded objects: they never keep bytes. */
  readonly #past: JsonSource;

  constructor(budget: ResidentBudget, reads: DirectReads, changed: (bytes: number) => void) {
    this.#budget = budget;
    this.#reads = reads;
    this.changed = changed;
    const admitNone = (): void => undefined;
    this.#past = {
      read: (object) => budget.read(object, reads, admitNone),
      readOnce: (object) => budget.readOnce(object, reads, admitNone),
      prefetch: (revisions) => reads.prefetch(revisions),
    };
  }

  /** Whether an object of this size would have to lose its bytes, or others theirs. */
  isFullFor(bytes: number): boolean {
    return this.#budget.isFullFor(bytes);
  }

  add(object: CachedObject): void {
    if (!object.asStored || object.corruption !== undefined) return;
    object.source = this;
    this.#budget.add(object);
  }

  /** Takes an object in that is to be read when it is needed. Says whether that is possible. */
  addCold(object: CachedObject): boolean {
    if (!object.asStored || object.corruption !== undefined) return false;
    object.source = this;
    object.dropBytes();
    return true;
  }

  /** The object is not current any more. Objects of other caches are left alone. */
  supersede(object: CachedObject): void {
    if (object.source !== this) return;
    this.#budget.supersede(object);
    object.source = this.#past;
  }

  /** The cache forgets the object, which stays current. */
  remove(object: CachedObject): void {
    if (object.source !== this) return;
    this.#budget.remove(object);
    object.source = this.#past;
  }

  read(object: CachedObject): Buffer {
    return this.#budget.read(object, this.#reads, (json) => this.#admit(object, json));
  }

  readOnce(object: CachedObject): Buffer {
    return this.#budget.readOnce(object, this.#reads, (json) => this.#admit(object, json));
  }

  prefetch(revisions: readonly number[]): Promise<void> | undefined {
    return this.#reads.prefetch(revisions);
  }

  #admit(object: CachedObject, json: Buffer): void {
    object.keepBytes(json);
    this.changed(object.size);
    this.#budget.add(object);
  }
}

function jsonAt({ modRevision }: CachedObject, reads: DirectReads, allocate?: AllocateBytes): Buffer {
  const value = reads.valueAt(modRevision);
  if (value === undefined) throw new CompactedError(modRevision);
  return decodeStoredJson(value, modRevision, allocate).json;
}
