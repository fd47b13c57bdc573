import type { Store, StoreEvent } from "../../runtime/store/store.ts";
import type { Observation } from "./workload.ts";

/** Returns all changes under a prefix after a revision, according to the store. */
export async function readAll(store: Store, prefix: string, after: number): Promise<StoreEvent[]> {
  const upTo = (await store.range({ prefix, limit: 1 })).revision;
  const events: StoreEvent[] = [];
  await new Promise<void>((resolve, reject) => {
    const advance = (revision: number): void => {
      if (revision < upTo) return;
      watch.close();
      clearInterval(asking);
      resolve();
    };
    const watch = store.watch(
      { prefix, startRevision: after + 1 },
      {
        changed: (changes, revision) => {
          events.push(...changes);
          advance(revision);
        },
        progress: advance,
        failed: reject,
      },
    );
    const asking = setInterval(() => watch.requestProgress(), 50);
  });
  return events;
}

/**
 * Compares observations with the store, repeatedly over a long run. Each check reads only the history since the last observed change. The
 * results of earlier checks must still lead to the current state.
 */
export class HistoryCheck {
  readonly #prefix: string;
  #seenUpTo: number;
  /** The last change of every key, according to the history so far. */
  readonly #last = new Map<string, StoreEvent>();
  /** Changes that an earlier check found in the history and that no watcher has seen yet. */
  #unseen: readonly StoreEvent[] = [];

  constructor(prefix: string, after: number) {
    this.#prefix = prefix;
    this.#seenUpTo = after;
  }

  /** Returns the last revision that a watcher has seen. The next watcher continues after it. */
  get seenUpTo(): number {
    return this.#seenUpTo;
  }

  /**
   * Returns every contradiction to the observations since the last check: an acknowledged write that is missing, an observed change that
   * disappeared, revisions that do not increase, or a change that a watcher missed or received twice.
   */
  async check(store: Store, observations: readonly Observation[]): Promise<string[]> {
    const history = await readAll(store, this.#prefix, this.#seenUpTo);
    const known = new Map(history.map((event) => [event.revision, `${event.type} ${event.key}`]));
    const found: string[] = [];
    const mustBeThere = [...this.#unseen.map((event) => ({ by: "stored", ...event }) as const), ...observations];
    for (const { by, type, key, revision } of mustBeThere) {
      if (known.get(revision) !== `${type} ${key}`) found.push(`${by} ${type} of ${key} at ${revision} is lost`);
    }
    const revisions = history.map((event) => event.revision);
    if (revisions.some((revision, i) => revision <= (revisions[i - 1] ?? 0))) found.push("revisions went back");
    const seen = observations.filter(({ by }) => by === "seen").map(({ revision }) => revision);
    const wrong = seen.findIndex((revision, i) => revision !== revisions[i]);
    if (wrong >= 0) found.push(`the watcher saw ${seen[wrong]} where ${revisions[wrong]} was due`);
    for (const event of history) this.#last.set(event.key, event);
    this.#seenUpTo = seen.at(-1) ?? this.#seenUpTo;
    this.#unseen = history.filter(({ revision }) => revision > this.#seenUpTo);
    return [...found, ...(await this.#stateContradictions(store))];
  }

  /** Checks that the current state is the result of the history. */
  async #stateContradictions(store: Store): Promise<string[]> {
    const { entries } = await store.range({ prefix: this.#prefix });
    const present = new Map(entries.map((entry) => [entry.key, entry]));
    const found: string[] = [];
    for (const [key, event] of this.#last) {
      const entry = present.get(key);
      present.delete(key);
      if (event.type === "delete" ? entry !== undefined : entry?.modRevision !== event.revision) {
        found.push(`${key} is at ${entry?.modRevision}, its last change was ${event.type} at ${event.revision}`);
      } else if (entry !== undefined && !Buffer.from(entry.value).equals(event.value)) {
        found.push(`${key} does not hold what was last written to it`);
      }
    }
    for (const { key, modRevision } of present.values()) found.push(`${key} is at ${modRevision}, out of nowhere`);
    return found;
  }
}
