import { type AllocateBytes, newScratch } from "../lib/byte-arena.ts";
import { CompactedError } from "../store/errors.ts";
import type { DirectReads } from "../store/store.ts";
import { decodeStoredJson } from "../store/value/stored-json.ts";
import type { CachedObject, JsonSource } from "./cached-object.ts";

/** Maximum number of recently used objects that one eviction spares: eviction takes constant time even if all were used. */
const MOST_SPARED = 16;
/** One in this many objects that are read again stays in memory. A list larger than the budget thus leaves most resident objects in place. */
const ADMIT_ONE_IN = 8;
/** Objects larger than this are read into memory of their own. */
const LARGEST_SCRATCH = 1024 * 1024;
/** Number of recorded superseded objects at which those that were garbage-collected are removed for the first time. */
const FIRST_SWEEP = 1024;

/**
 * Bounds the memory for the JSON of cached objects, for all resources combined. Beyond the limit, the objects that were added first lose
 * their bytes, except that those used in the meantime are spared once (second chance). They read them from the store when needed. A
 * superseded object reads its bytes from the history of the store, and gets them back before the store drops them.
 */
export class ResidentBudget {
  readonly #limit: number;
  /** The objects that were added first and last. */
  #oldest: CachedObject | undefined;
  #newest: CachedObject | undefined;
  /** Cold superseded objects by revision. Responses and past states may still use them. */
  readonly #superseded = new Map<number, WeakRef<CachedObject>>();
  #sweepAt = FIRST_SWEEP;
  #used = 0;
  #dropped = 0;
  #reads = 0;
  /** The object that was read last: its bytes are often needed more than once. */
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

  /** How often an object lost its bytes, or did not keep them after a read. */
  get dropped(): number {
    return this.#dropped;
  }

  /** How often bytes were read again from the store. */
  get reads(): number {
    return this.#reads;
  }

  /** Whether another object of this size would make others lose their bytes. */
  isFullFor(bytes: number): boolean {
    return this.#used + bytes > this.#limit;
  }

  /** Creates the objects of one cache. `changed` is called with the change in resident bytes, negative when objects lose bytes. */
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

  /** Returns whether the object was counted. */
  remove(object: CachedObject): boolean {
    if (!this.#isLinked(object)) return false;
    this.#unlink(object);
    this.#used -= object.size;
    return true;
  }

  /** The object is no longer current. Returns whether it has lost its bytes now. */
  supersede(object: CachedObject): boolean {
    const wasCounted = this.remove(object);
    // Under memory pressure, it must not stay in memory as long as a response or a past state refers to it.
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

  /** Reads the bytes of a cold object. `admit` may make the object keep them. */
  read(object: CachedObject, reads: DirectReads, admit: (json: Buffer) => void): Buffer {
    if (this.#last?.object === object) return this.#last.json;
    const json = jsonAt(object, reads);
    this.#last = { object, json };
    this.#reads += 1;
    if (this.#reads % ADMIT_ONE_IN === 0 && json.length <= this.#limit) admit(json);
    else this.#dropped += 1;
    return json;
  }

  /** Like `read`, but reuses the memory for the next object, unless the object keeps its bytes. */
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
        // Readers of the object will get the error. The commit that drops the record must not fail because of it.
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
        // Copies the bytes, so that the memory chunk into which the object was loaded can be freed with its other objects.
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

/** The objects of one cache that may lose their bytes: those whose stored value equals their JSON in memory. */
export class ResidentObjects implements JsonSource {
  /** Called with the change in resident bytes. */
  readonly changed: (bytes: number) => void;
  readonly #budget: ResidentBudget;
  readonly #reads: DirectReads;
  /** Source of superseded objects, which never keep bytes. */
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

  /** Whether an object of this size would have to lose its bytes, or make others lose theirs. */
  isFullFor(bytes: number): boolean {
    return this.#budget.isFullFor(bytes);
  }

  add(object: CachedObject): void {
    if (!object.asStored || object.corruption !== undefined) return;
    object.source = this;
    this.#budget.add(object);
  }

  /** Adds an object without its bytes, which are read when they are needed. Returns false if its bytes must stay in memory. */
  addCold(object: CachedObject): boolean {
    if (!object.asStored || object.corruption !== undefined) return false;
    object.source = this;
    object.dropBytes();
    return true;
  }

  /** The object is no longer current. Ignores objects of other caches. */
  supersede(object: CachedObject): void {
    if (object.source !== this) return;
    this.#budget.supersede(object);
    object.source = this.#past;
  }

  /** The cache drops the object, which stays current in the store. */
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
