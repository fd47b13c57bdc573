import type { Clock } from "../lib/clock.ts";
import type { EventLog } from "./event-log.ts";
import type { ObjectMap } from "./select-page.ts";
import type { CacheEvent } from "./watch-event.ts";

/** Distinct past states kept at once; each shares all it can with its neighbours. */
const MAX_SNAPSHOTS = 1000;
/** Events that are undone for one page where past states are not kept. */
const MOST_UNDONE = 1000;

/** All objects as of a revision. */
export interface State {
  readonly revision: number;
  readonly objects: ObjectMap;
}

interface Snapshot {
  readonly objects: ObjectMap;
  readonly takenAt: number;
}

/**
 * Past states of one resource. The present state is kept as a constant-time copy; an older one is worked out backwards
 * from the nearest newer copy by undoing logged events. Both are kept for a while, so that the pages of a list find it.
 * If the retention is 0, only the present state and what was there a few events ago are known; the store has the others.
 */
export class Snapshots {
  readonly #clock: Clock;
  readonly #retentionMs: number;
  readonly #byRevision = new Map<number, Snapshot>();

  constructor(clock: Clock, retentionMs: number) {
    this.#clock = clock;
    this.#retentionMs = retentionMs;
  }

  /** A copy of the present state, kept for later requests. */
  take(revision: number, objects: ObjectMap): ObjectMap {
    const kept = this.#byRevision.get(revision);
    if (kept !== undefined) return kept.objects;
    const copy = objects.clone();
    this.#keep(revision, copy);
    return copy;
  }

  /** Keeps the present state for later requests, and returns the copy; undefined if past states are not kept. */
  keep(revision: number, objects: ObjectMap): ObjectMap | undefined {
    return this.#retentionMs > 0 ? this.take(revision, objects) : undefined;
  }

  /** The state at a revision; undefined when it was the present one too long ago, or past states are not kept. */
  at(revision: number, present: State, log: EventLog): ObjectMap | undefined {
    if (revision >= present.revision) return present.objects;
    if (this.#retentionMs === 0) return undefined;
    this.#forgetOld();
    const kept = this.#byRevision.get(revision);
    if (kept !== undefined) return kept.objects;
    if (revision < log.floor) return undefined;
    const since = log.since(revision);
    const [next] = since;
    // Nothing has changed since: that state is the present one.
    if (next === undefined) return present.objects;
    if (next.time <= this.#clock.now() - this.#retentionMs) return undefined;
    const objects = undone(this.#nearestNewer(revision, present), since);
    this.#keep(revision, objects);
    return objects;
  }

  /** The state at a revision, worked out from the present one and not kept; undefined if that takes long or is not possible. */
  recent(revision: number, present: State, log: EventLog): ObjectMap | undefined {
    if (revision < log.floor) return undefined;
    const since = log.since(revision);
    if (since.length > MOST_UNDONE) return undefined;
    return since.length === 0 ? present.objects : undone(present, since);
  }

  clear(): void {
    this.#byRevision.clear();
  }

  #nearestNewer(revision: number, present: State): State {
    let best = present;
    for (const [candidate, { objects }] of this.#byRevision) {
      if (candidate > revision && candidate < best.revision) best = { revision: candidate, objects };
    }
    return best;
  }

  #keep(revision: number, objects: ObjectMap): void {
    this.#forgetOld();
    if (this.#retentionMs === 0) return;
    this.#byRevision.set(revision, { objects, takenAt: this.#clock.now() });
    const [oldest] = this.#byRevision.keys();
    if (this.#byRevision.size > MAX_SNAPSHOTS && oldest !== undefined) this.#byRevision.delete(oldest);
  }

  #forgetOld(): void {
    const limit = this.#clock.now() - this.#retentionMs;
    for (const [revision, snapshot] of this.#byRevision) {
      if (snapshot.takenAt > limit) return;
      this.#byRevision.delete(revision);
    }
  }
}

/** A copy of a state as it was before events, those after its revision aside. */
function undone({ revision, objects }: State, events: readonly CacheEvent[]): ObjectMap {
  const copy = objects.clone();
  for (const event of events.toReversed()) {
    if (event.revision > revision) continue;
    if (event.previous === undefined) copy.delete(event.key);
    else copy.set(event.key, event.previous);
  }
  return copy;
}
