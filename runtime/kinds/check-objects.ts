import type { SlowProgress } from "../lib/slow-progress.ts";
import { everyEntry } from "../store/every-entry.ts";
import type { Store } from "../store/store.ts";
import type { StoredKind } from "./served-resource.ts";

export interface ObjectsCheck {
  readonly seen: number;
  /** Number of objects that are stored in an older version or are not encrypted with the current key. */
  readonly stale: number;
  /** One sentence per object that cannot be decrypted or decoded, or whose name does not match its key. */
  readonly problems: readonly string[];
}

/** Decrypts and decodes every object of a kind. */
export async function checkObjects(store: Store, kind: StoredKind, progress: SlowProgress): Promise<ObjectsCheck> {
  let seen = 0;
  let stale = 0;
  const problems: string[] = [];
  for await (const entry of everyEntry(store, kind.prefix)) {
    seen += 1;
    progress.add(1);
    try {
      const live = kind.objects.read(entry.key, entry);
      const { name } = live.object.metadata;
      if (live.stale) stale += 1;
      if (name !== undefined && !entry.key.endsWith(`/${name}`))
        problems.push(`${entry.key}: its object has the name ${JSON.stringify(name)}`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      problems.push(reason.startsWith(entry.key) ? reason : `${entry.key}: ${reason}`);
    }
  }
  return { seen, stale, problems };
}
