import type { Store, StoreEvent } from "../../runtime/store/store.ts";
import type { Observation } from "./workload.ts";

/** Everything that happened under a prefix after a revision, according to the store. */
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
    const asking = setInterval(() => void store.requestProgress().catch(() => undefined), 50);
  });
  return events;
}

/**
 * Compares what was observed with what the store holds, and returns every contradiction: an acknowledged write that is
 * missing, a change that was seen and is gone, revisions that do not grow, a watcher that missed or repeated something.
 */
export async function contradictions(
  store: Store,
  prefix: string,
  after: number,
  observations: readonly Observation[],
): Promise<string[]> {
  const history = await readAll(store, prefix, after);
  const known = new Map(history.map((event) => [event.revision, `${event.type} ${event.key}`]));
  const found: string[] = [];
  for (const { by, type, key, revision } of observations) {
    if (known.get(revision) !== `${type} ${key}`) found.push(`${by} ${type} of ${key} at ${revision} is lost`);
  }
  const revisions = history.map((event) => event.revision);
  if (revisions.some((revision, i) => i > 0 && revision <= (revisions[i - 1] ?? 0))) found.push("revisions went back");
  const seen = observations.filter(({ by }) => by === "seen").map(({ revision }) => revision);
  const expected = revisions.slice(0, seen.length);
  const wrong = seen.findIndex((revision, i) => revision !== expected[i]);
  if (wrong >= 0) found.push(`the watcher saw ${seen[wrong]} where ${expected[wrong]} was due`);
  found.push(...(await stateContradictions(store, prefix, history)));
  return found;
}

/** The present state must be what the history leads to. */
async function stateContradictions(store: Store, prefix: string, history: readonly StoreEvent[]): Promise<string[]> {
  const last = new Map(history.map((event) => [event.key, event]));
  const { entries } = await store.range({ prefix });
  const present = new Map(entries.map((entry) => [entry.key, entry]));
  const found: string[] = [];
  for (const [key, event] of last) {
    const entry = present.get(key);
    if (event.type === "delete" ? entry !== undefined : entry?.modRevision !== event.revision) {
      found.push(`${key} is at ${entry?.modRevision}, its last change was ${event.type} at ${event.revision}`);
    } else if (entry !== undefined && !Buffer.from(entry.value).equals(event.value)) {
      found.push(`${key} does not hold what was last written to it`);
    }
  }
  return found;
}
