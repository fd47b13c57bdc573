import { CompactedError, CorruptError, FutureRevisionError } from "../errors.ts";
import type { DirectEntry, RangeRequest, RangeResult, StoreEntry } from "../store.ts";
import type { Engine, KeyHead, RecordHeader, RevisionList } from "./engine.ts";
import { entryOf } from "./watch-hub.ts";

/** Heads read between two points at which the caller of `loadEntries` may pause. */
const HEADS = 250;
/** Changes read between two points at which the caller of `readChanges` may pause. */
const CHANGES = 250;

/**
 * Reads one key as of a revision, or as of the last published revision. The file may contain newer revisions, which are not yet synced and
 * which no watcher has seen.
 */
export function readKey(engine: Engine, key: string, atRevision?: number): StoreEntry | undefined {
  if (atRevision !== undefined) checkRevision(engine, atRevision);
  const wanted = atRevision ?? engine.revision();
  const head = engine.head(key);
  if (head !== undefined && head.modRevision <= wanted) return entryAt(engine, key, head.modRevision);
  const revision = changesAfter(engine, wanted, (changed) => changed === key).get(key) ?? 0;
  return revision === 0 ? undefined : entryAt(engine, key, revision);
}

/** Reads a range as of a revision, or as of now. All reads happen in one turn of the event loop and thus in one snapshot. */
export function readRange(engine: Engine, request: RangeRequest): RangeResult {
  const { prefix, startAfter, limit = Number.POSITIVE_INFINITY, atRevision } = request;
  const current = engine.revision();
  if (atRevision !== undefined) checkRevision(engine, atRevision);
  // The file contains a commit at least one turn before the engine is notified of it: changes after the revision of the result are undone.
  const revision = atRevision ?? current;
  const past = hasChangesAfter(engine, revision) ? changesIn(engine, request, revision) : NOTHING;
  const entries: StoreEntry[] = [];
  let more = false;
  for (const { key, modRevision } of headsBefore(engine, prefix, startAfter, past)) {
    more = entries.length >= limit;
    if (more) break;
    entries.push(entryAt(engine, key, modRevision));
  }
  return {
    entries,
    revision,
    more,
    ...(request.count && { count: engine.countKeys(prefix, startAfter) - past.grown }),
  };
}

/** One step of loading: an entry, undefined, or a promise to wait for. */
export type LoadSteps = Generator<DirectEntry | Promise<void> | undefined, void, void>;

export interface LoadRequest {
  readonly prefix: string;
  readonly atRevision: number;
}

/**
 * Yields all entries under a prefix as of a revision, without copying their values: in key order or, from a file larger than memory, in
 * the order of writes. After each step the caller may continue in another turn.
 *
 *     heads, read in several turns     those that were at or before the revision when they were read
 *     changes since the revision       the revisions that they superseded: a head that had changed before it was read is among them
 */
export function* loadEntries(engine: Engine, request: LoadRequest): LoadSteps {
  const { readAhead } = engine;
  const revisions = readAhead?.newList() ?? new RevisionsByKey();
  yield* collectRevisions(engine, request, revisions);
  if (readAhead === undefined) yield* readRevisions(engine, request, revisions);
  else
    for (const batch of readAhead.batches(revisions)) {
      yield batch.ready;
      yield* readRevisions(engine, request, batch.revisions);
    }
}

/** Yields changes after a revision, up to and including another, oldest first. After each step the caller may continue in another turn. */
export function* readChanges(
  engine: Engine,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Generator<RecordHeader | Promise<void> | undefined, void, void> {
  let ready = aheadOf(engine, after, upTo);
  for (let start = after; start < upTo; start += CHANGES) {
    const next = aheadOf(engine, start + CHANGES, upTo);
    if (ready !== undefined) yield ready;
    checkRevision(engine, after);
    for (const record of engine.recordHeaders(start + 1)) {
      if (record.revision > Math.min(start + CHANGES, upTo)) break;
      yield record;
    }
    yield undefined;
    ready = next;
  }
}

/** Starts to read the records of the next changes after a revision. Returns undefined if reads do not wait for a disk. */
function aheadOf(engine: Engine, after: number, upTo: number): Promise<void> | undefined {
  const length = Math.min(CHANGES, upTo - after);
  return length <= 0 ? undefined : engine.readAhead?.all(Array.from({ length }, (_, index) => after + 1 + index));
}

function* collectRevisions(
  engine: Engine,
  { prefix, atRevision }: LoadRequest,
  revisions: RevisionList,
): Generator<undefined, void, void> {
  let startAfter: string | undefined;
  let seen = atRevision;
  for (let more = true; more; ) {
    checkRevision(engine, atRevision);
    let count = 0;
    more = false;
    for (const { key, modRevision } of engine.heads(prefix, startAfter)) {
      if (modRevision <= atRevision) revisions.add(modRevision);
      startAfter = key;
      count += 1;
      more = count === HEADS;
      if (more) break;
    }
    // Read after the heads, so that no change that they show is missed.
    for (const { revision, key, previousRevision } of engine.recordHeaders(seen + 1)) {
      seen = revision;
      if (previousRevision > 0 && previousRevision <= atRevision && key.startsWith(prefix))
        revisions.addSuperseded(previousRevision);
    }
    if (more) yield undefined;
  }
}

function* readRevisions(engine: Engine, request: LoadRequest, revisions: Iterable<number>): LoadSteps {
  for (const revision of revisions) {
    const entry = engine.entryAt(revision);
    if (entry === undefined) {
      checkRevision(engine, request.atRevision);
      throw missing(request.prefix, revision);
    }
    yield entry;
  }
}

/** In key order, as they were added. Revisions added only by `addSuperseded` come last. */
class RevisionsByKey implements RevisionList {
  readonly #added: number[] = [];
  readonly #superseded = new Set<number>();

  add(revision: number): void {
    this.#added.push(revision);
  }

  addSuperseded(revision: number): void {
    this.#superseded.add(revision);
  }

  *[Symbol.iterator](): Iterator<number> {
    for (const revision of this.#added) {
      this.#superseded.delete(revision);
      yield revision;
    }
    yield* this.#superseded;
  }
}

function hasChangesAfter(engine: Engine, revision: number): boolean {
  for (const _ of engine.recordHeaders(revision + 1)) return true;
  return false;
}

/** How the present range differs from a past one. */
interface Changes {
  /** For every key that has changed, its former revision; 0 if it did not exist. */
  readonly before: ReadonlyMap<string, number>;
  /** Keys that no longer exist, in key order. */
  readonly vanished: readonly string[];
  /** The present number of keys minus the former one. */
  readonly grown: number;
}

const NOTHING: Changes = { before: new Map(), vanished: [], grown: 0 };

function changesIn(engine: Engine, { prefix, startAfter }: RangeRequest, revision: number): Changes {
  const inRange = (key: string): boolean => key.startsWith(prefix) && (startAfter === undefined || key > startAfter);
  const before = changesAfter(engine, revision, inRange);
  const vanished: string[] = [];
  let grown = 0;
  for (const [key, previous] of before) {
    const exists = engine.head(key) !== undefined;
    if (!exists) vanished.push(key);
    grown += Number(exists) - Number(previous > 0);
  }
  return { before, vanished: vanished.sort(), grown };
}

/** The heads of a past revision: the present ones, corrected by the changes since. */
function* headsBefore(
  engine: Engine,
  prefix: string,
  startAfter: string | undefined,
  { before, vanished }: Changes,
): Iterable<Position> {
  let next = 0;
  for (const head of engine.heads(prefix, startAfter)) {
    for (let key = vanished[next]; key !== undefined && key < head.key; key = vanished[++next]) {
      yield* positionOf(key, before.get(key) ?? 0);
    }
    yield* positionOf(head.key, before.get(head.key) ?? head.modRevision);
  }
  for (const key of vanished.slice(next)) yield* positionOf(key, before.get(key) ?? 0);
}

type Position = Pick<KeyHead, "key" | "modRevision">;

function* positionOf(key: string, modRevision: number): Iterable<Position> {
  if (modRevision > 0) yield { key, modRevision };
}

/** For every wanted key that changed after a revision, its revision at that time; 0 if it did not exist. */
function changesAfter(engine: Engine, revision: number, wanted: (key: string) => boolean): Map<string, number> {
  const changed = new Map<string, number>();
  for (const record of engine.recordHeaders(revision + 1)) {
    if (!changed.has(record.key) && wanted(record.key)) changed.set(record.key, record.previousRevision);
  }
  return changed;
}

function entryAt(engine: Engine, key: string, revision: number): StoreEntry {
  const record = engine.record(revision);
  if (record === undefined) throw missing(key, revision);
  return entryOf(record);
}

function missing(key: string, revision: number): CorruptError {
  return new CorruptError(key, `its record at revision ${revision} is missing`);
}

/** Throws FutureRevision or Compacted if the revision cannot be read. */
function checkRevision(engine: Engine, revision: number): void {
  const current = engine.revision();
  if (revision > current) throw new FutureRevisionError(revision, current);
  const compacted = engine.compactedRevision();
  if (revision < compacted) throw new CompactedError(compacted);
}
