import type { Store, StoreEntry } from "./store.ts";

/** Of large objects, this many are in memory at the same time. */
const PAGE = 100;

/** Everything under a prefix in key order, read page by page: the state may change in between, unless nothing writes to the store. */
export async function* everyEntry(store: Store, prefix: string): AsyncIterable<StoreEntry> {
  for (let startAfter: string | undefined; ; ) {
    const page = await store.range({ prefix, limit: PAGE, ...(startAfter !== undefined && { startAfter }) });
    yield* page.entries;
    startAfter = page.entries.at(-1)?.key;
    if (!page.more || startAfter === undefined) return;
  }
}
