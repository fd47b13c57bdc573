import type { Store, StoreEntry } from "./store.ts";

/** Limits how many large objects are in memory at the same time. */
const PAGE = 100;

/** Yields all entries under a prefix in key order, read page by page. Pages may show different revisions if the store is written to in between. */
export async function* everyEntry(store: Store, prefix: string): AsyncIterable<StoreEntry> {
  for (let startAfter: string | undefined; ; ) {
    const page = await store.range({ prefix, limit: PAGE, ...(startAfter !== undefined && { startAfter }) });
    yield* page.entries;
    startAfter = page.entries.at(-1)?.key;
    if (!page.more || startAfter === undefined) return;
  }
}
