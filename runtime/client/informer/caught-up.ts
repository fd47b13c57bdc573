import type { KnownObject, LocalStore } from "./local-store.ts";

interface Lists<O> {
  list(page: { readonly limit: number; readonly continue: string; readonly signal: AbortSignal }): Promise<{
    readonly items: readonly O[];
    readonly continue: string;
  }>;
}

const PAGE = 500;

/** Whether the store holds exactly the objects and resourceVersions that a list returns now. */
export async function isCaughtUp<O extends KnownObject>(
  source: Lists<O>,
  store: LocalStore<O>,
  signal: AbortSignal,
): Promise<boolean> {
  let [count, next] = [0, ""];
  do {
    signal.throwIfAborted();
    const page = await source.list({ limit: PAGE, continue: next, signal });
    for (const { metadata } of page.items) {
      const known = store.get(metadata.namespace ?? "", metadata.name)?.metadata;
      if (known?.uid !== metadata.uid || known.resourceVersion !== metadata.resourceVersion) return false;
    }
    count += page.items.length;
    next = page.continue;
  } while (next !== "");
  return count === store.size;
}
