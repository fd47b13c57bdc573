import type { MemoryState } from "../embedded/memory-engine.ts";
import type { Store } from "../store.ts";

/** Reads the present state of any store below a prefix. Keys lose their time to live. Keys of running servers are omitted. */
export async function readState(store: Store, keyRoot: string): Promise<MemoryState> {
  const { entries, revision } = await store.range({ prefix: `${keyRoot}/` });
  const time = Date.now();
  const records = entries
    .filter(({ key }) => !key.startsWith(`${keyRoot}/masterleases/`))
    .map(({ key, value, createRevision, modRevision }) => ({
      type: "put" as const,
      key,
      value,
      createRevision,
      revision: modRevision,
      previousRevision: 0,
      time,
    }))
    .sort((a, b) => a.revision - b.revision);
  return { identity: store.identity, revision, records, expiries: [] };
}
