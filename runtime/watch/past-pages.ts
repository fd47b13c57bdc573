import { inTurns, type WaitingSteps } from "../lib/in-turns.ts";
import { newSortedMap, type SortedMap } from "../lib/sorted-map.ts";
import { CompactedError } from "../store/errors.ts";
import { prefixEnd } from "../store/prefix-end.ts";
import type { DirectReads } from "../store/store.ts";
import { CachedObject } from "./cached-object.ts";
import type { ObjectCodec } from "./codec.ts";
import type { ObjectState } from "./object-state.ts";
import { readAhead } from "./read-ahead.ts";
import {
  firstKey,
  type ObjectMap,
  type Page,
  type PageRequest,
  READ_STEP,
  readable,
  STEP,
  selects,
} from "./select-page.ts";

/** Maximum number of past states whose differences are cached for the next page. */
const MOST_REMEMBERED = 4;

/**
 * The difference between the state at a revision and a later one.
 *
 *     at 7: a@3, b@5      at 9: a@3, b@8, c@9      before: b -> 5, c -> 0
 */
interface Past {
  readonly revision: number;
  /** The later revision. */
  upTo: number;
  /** The revision of each changed key; 0 if the key did not exist. */
  readonly before: SortedMap<string, number>;
  /** Number of objects in each scope that was counted. */
  readonly totals: Map<string, number>;
}

/** An object of the past state that is in memory, or the key and revision with which it can be read. */
type Position = CachedObject | { readonly key: string; readonly modRevision: number };

/**
 * Pages of states that are too old to be computed in one turn: the present objects, corrected by the changes since, which are read from the
 * history of the store. Reads only objects that have changed, ahead of their use and in several turns.
 */
export class PastPages {
  readonly #state: ObjectState;
  readonly #direct: DirectReads;
  readonly #codec: ObjectCodec;
  readonly #prefix: string;
  /** The next page usually follows soon. A state that is no longer used is garbage-collected. */
  readonly #remembered = new Map<number, WeakRef<Past>>();

  constructor(parts: {
    readonly state: ObjectState;
    readonly direct: DirectReads;
    readonly codec: ObjectCodec;
    /** Prefix of all keys of the resource. */
    readonly prefix: string;
  }) {
    this.#state = parts.state;
    this.#direct = parts.direct;
    this.#codec = parts.codec;
    this.#prefix = parts.prefix;
  }

  /** Selects a page of the state at a revision. `current` is the present revision. Throws CompactedError, CorruptError, StoreError. */
  async select(request: PageRequest, revision: number, current: number): Promise<Page> {
    const objects = this.#state.copy();
    const past = this.#recall(revision);
    // Concurrent requests for other pages may advance `upTo` further: the recorded revisions of keys stay correct.
    while (past.upTo < current) await inTurns(this.#addChanges(past, current));
    return inTurns(this.#pageSteps(past, objects, request));
  }

  #recall(revision: number): Past {
    const found = this.#remembered.get(revision)?.deref();
    const past = found ?? { revision, upTo: revision, before: newSortedMap<string, number>(), totals: new Map() };
    this.#remembered.delete(revision);
    this.#remembered.set(revision, new WeakRef(past));
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > MOST_REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest);
    return past;
  }

  /** Adds changes from the events in memory, or from the store if the events do not reach back far enough. */
  *#addChanges(past: Past, current: number): WaitingSteps<void> {
    const { log } = this.#state;
    if (past.upTo >= log.floor) {
      for (const [index, { key, previous }] of log.since(past.upTo).entries()) {
        addChange(past, key, previous?.modRevision ?? 0);
        if (index % STEP === STEP - 1) yield undefined;
      }
      past.upTo = Math.max(past.upTo, current);
      return;
    }
    const upTo = Math.min(current, log.floor);
    for (const change of this.#direct.changes({ after: past.upTo, upTo })) {
      if (change === undefined || change instanceof Promise) yield change;
      else if (change.key.startsWith(this.#prefix)) addChange(past, change.key, change.previousRevision);
    }
    past.upTo = Math.max(past.upTo, upTo);
  }

  *#pageSteps(past: Past, objects: ObjectMap, request: PageRequest): WaitingSteps<Page> {
    const { scope, startAfter, selector, limit = Number.POSITIVE_INFINITY } = request;
    const items: CachedObject[] = [];
    const end = prefixEnd(scope);
    let from: string | undefined = firstKey(scope, startAfter);
    while (from !== undefined) {
      const found: { positions: Position[]; next: string | undefined } = positionsIn(past, objects, from, end);
      const positions = found.positions.filter(({ key }) => key !== startAfter);
      from = found.next;
      const wanted = selector === undefined ? positions.slice(0, limit - items.length) : positions;
      const reading = this.#readAhead(wanted, selector?.reads);
      if (reading !== undefined) yield reading;
      for (const [index, position] of positions.entries()) {
        if (items.length >= limit) return yield* this.#fullPage(past, objects, request, items, position.key);
        const object = this.#objectAt(position);
        if (selector === undefined || selects(selector, object)) items.push(readable(object));
        if (index % READ_STEP === READ_STEP - 1) yield undefined;
      }
      yield undefined;
    }
    return { items, more: false, remaining: undefined };
  }

  /** Starts to read the objects that have changed since, and those that a selector must read. */
  #readAhead(positions: readonly Position[], reads?: (object: CachedObject) => boolean): Promise<void> | undefined {
    const changed: number[] = [];
    const unread: CachedObject[] = [];
    for (const position of positions) {
      if (!(position instanceof CachedObject)) changed.push(position.modRevision);
      else if (reads?.(position)) unread.push(position);
    }
    const reading = changed.length === 0 ? undefined : this.#direct.prefetch(changed.sort((a, b) => a - b));
    const others = readAhead(unread);
    if (reading === undefined) return others;
    return Promise.allSettled([reading, others]).then(() => undefined);
  }

  #objectAt(position: Position): CachedObject {
    if (position instanceof CachedObject) return position;
    const { key, modRevision } = position;
    const value = this.#direct.valueAt(modRevision);
    if (value === undefined) throw new CompactedError(this.#direct.compactedRevision());
    return this.#codec.decodeOnce(key, value, modRevision);
  }

  *#fullPage(
    past: Past,
    objects: ObjectMap,
    { scope, startAfter, delivered, selector }: PageRequest,
    items: CachedObject[],
    next: string,
  ): WaitingSteps<Page> {
    if (selector !== undefined) return { items, more: true, remaining: undefined };
    const before = startAfter === undefined ? 0 : delivered;
    const end = prefixEnd(scope);
    if (before === undefined) return { items, more: true, remaining: yield* countSteps(past, objects, next, end) };
    const total = past.totals.get(scope) ?? (yield* countSteps(past, objects, scope, end));
    past.totals.set(scope, total);
    return { items, more: true, remaining: total - before - items.length };
  }
}

/** The oldest change of a key after the revision determines which revision the key had. */
function addChange({ before }: Past, key: string, previousRevision: number): void {
  if (!before.has(key)) before.set(key, previousRevision);
}

/** The positions from a key on, as many as one step covers, and the key at which the next step starts. */
function positionsIn(
  { before }: Past,
  objects: ObjectMap,
  from: string,
  end: string,
): { positions: Position[]; next: string | undefined } {
  const present: CachedObject[] = [];
  let next: string | undefined;
  const look = (key: string, object: CachedObject): typeof STOP | undefined => {
    if (present.length === STEP) {
      next = key;
      return STOP;
    }
    present.push(object);
    return undefined;
  };
  objects.forRange(from, end, false, look);
  const positions: Position[] = [];
  let place = 0;
  const takeBelow = (key: string): void => {
    for (let object = present[place]; object !== undefined && object.key < key; object = present[++place])
      positions.push(object);
  };
  let changed = 0;
  before.forRange(from, next ?? end, false, (key, modRevision) => {
    // Few keys may be left where many were deleted.
    if (changed === STEP) {
      next = key;
      return STOP;
    }
    changed += 1;
    takeBelow(key);
    const object = present[place];
    if (object?.key === key) place += 1;
    if (object?.key === key && object.modRevision === modRevision) positions.push(object);
    else if (modRevision > 0) positions.push({ key, modRevision });
    return undefined;
  });
  takeBelow(next ?? end);
  return { positions, next };
}

/** Number of objects of the past state from a key on. */
function* countSteps({ before }: Past, objects: ObjectMap, from: string, end: string): WaitingSteps<number> {
  let count = objects.forRange(from, end, false);
  for (let start: string | undefined = from; start !== undefined; ) {
    let next: string | undefined;
    let seen = 0;
    before.forRange(start, end, false, (key, modRevision) => {
      if (seen === STEP) {
        next = key;
        return STOP;
      }
      seen += 1;
      count += Number(modRevision > 0) - Number(objects.has(key));
      return undefined;
    });
    start = next;
    yield undefined;
  }
  return count;
}

const STOP = { break: true };
