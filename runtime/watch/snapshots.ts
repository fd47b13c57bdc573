import type { Clock } from "../lib/clock.ts";
import type { EventLog } from "./event-log.ts";
import type { ObjectMap } from "./select-page.ts";

/** Distinct past states kept at once; each shares all it can with its neighbours. */
const MAX_SNAPSHOTS = 1000;

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
 */
export class Snapshots {
  readonly #clock: Clock;
  readonly #retentionMs: number;
  readonly #byRevision = new Map<number, Snapshot>();

  constructor(clock: Clock, retentionMs: number) {
    this.#clock = clock;
    this.#retentionMs = retentionMs;
  }

  /** Keeps the present state. */
  take(revision: number, objects: ObjectMap): ObjectMap {
    const kept = this.#byRevision.get(revision);
    if (kept !== undefined) return kept.objects;
    const copy = objects.clone();
    this.#keep(revision, copy);
    return copy;
  }

  /** The state at a revision; undefined when the log does not reach back to it, or past states are not to be kept. */
  at(revision: number, present: State, log: EventLog): ObjectMap | undefined {
    if (revision >= present.revision) return this.take(present.revision, present.objects);
    if (this.#retentionMs === 0) return undefined;
    const kept = this.#byRevision.get(revision);
    if (kept !== undefined) return kept.objects;
    if (revision < log.floor) return undefined;
    const newer = this.#nearestNewer(revision, present);
    const objects = newer.objects.clone();
    for (const event of log.since(revision).reverse()) {
      if (event.revision > newer.revision) continue;
      if (event.previous === undefined) objects.delete(event.key);
      else objects.set(event.key, event.previous);
    }
    this.#keep(revision, objects);
    return objects;
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
    this.#byRevision.set(revision, { objects, takenAt: this.#clock.now() });
    const [oldest] = this.#byRevision.keys();
    if (this.#byRevision.size > MAX_SNAPSHOTS && oldest !== undefined) this.#byRevision.delete(oldest);
  }

  #forgetOld(): void {
    const limit = this.#clock.now() - this.#retentionMs;
    for (const [revision, snapshot] of this.#byRevision) {
      if (snapshot.takenAt >= limit) return;
      this.#byRevision.delete(revision);
    }
  }
}
