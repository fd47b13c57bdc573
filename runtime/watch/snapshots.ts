import type { Clock } from "../lib/clock.ts";
import type { EventLog } from "./event-log.ts";
import type { ObjectMap } from "./select-page.ts";
import type { CacheEvent } from "./watch-event.ts";

/** Maximum number of past states. Each shares as many nodes as possible with its neighbors. */
const MAX_SNAPSHOTS = 1000;
/** Maximum number of events to undo for one page if past states are not kept. */
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
 * Past states of one resource. The present state is kept as a copy, which takes constant time. An older state is computed from the nearest
 * newer copy by undoing logged events. Both are kept for a while, so that the pages of a list find them. If the retention is 0, only the
 * present state and those a few events ago are available; the store has the others.
 */
export class Snapshots {
  readonly #clock: Clock;
  readonly #retentionMs: number;
  readonly #byRevision = new Map<number, Snapshot>();

  constructor(clock: Clock, retentionMs: number) {
    this.#clock = clock;
    this.#retentionMs = retentionMs;
  }

  /** Returns a copy of the present state and keeps it for later requests. */
  take(revision: number, objects: ObjectMap): ObjectMap {
    const kept = this.#byRevision.get(revision);
    if (kept !== undefined) return kept.objects;
    const copy = objects.clone();
    this.#keep(revision, copy);
    return copy;
  }

  /** Keeps the present state for later requests and returns the copy. Undefined if past states are not kept. */
  keep(revision: number, objects: ObjectMap): ObjectMap | undefined {
    return this.#retentionMs > 0 ? this.take(revision, objects) : undefined;
  }

  /** The state at a revision. Undefined if it was superseded too long ago, or if past states are not kept. */
  at(revision: number, present: State, log: EventLog): ObjectMap | undefined {
    if (revision >= present.revision) return present.objects;
    if (this.#retentionMs === 0) return undefined;
    this.#forgetOld();
    const kept = this.#byRevision.get(revision);
    if (kept !== undefined) return kept.objects;
    if (revision < log.floor) return undefined;
    const since = log.since(revision);
    const [next] = since;
    // Nothing has changed since: the state is the present one.
    if (next === undefined) return present.objects;
    if (next.time <= this.#clock.now() - this.#retentionMs) return undefined;
    const objects = undone(this.#nearestNewer(revision, present), since);
    this.#keep(revision, objects);
    return objects;
  }

  /** The state at a revision, computed from the present one and not kept. Undefined if that takes too long or is impossible. */
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

/** Returns a copy of a state with these events undone. Ignores events after the revision of the state. */
function undone({ revision, objects }: State, events: readonly CacheEvent[]): ObjectMap {
  const copy = objects.clone();
  for (const event of events.toReversed()) {
    if (event.revision > revision) continue;
    if (event.previous === undefined) copy.delete(event.key);
    else copy.set(event.key, event.previous);
  }
  return copy;
}
