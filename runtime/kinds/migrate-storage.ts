import type { SlowProgress } from "../lib/slow-progress.ts";
import { CasFailedError } from "../store/errors.ts";
import type { Store } from "../store/store.ts";
import type { StoredKind } from "./served-resource.ts";

export interface MigrationCount {
  readonly seen: number;
  readonly rewritten: number;
  /** Keys whose values could not be read. Their values are not changed. */
  readonly unreadable: readonly string[];
  /** Number of objects that another server wrote concurrently in a version other than the one this release writes. */
  readonly contested: number;
}

const PAGE = 500;

/**
 * Rewrites every object of a kind that is stored in a version other than the one this release writes, or that was written with different
 * defaults (servers would set those on every read). Safe while servers write: an object that a server changes concurrently is already in
 * the version of that server's release.
 */
export async function migrateKind(store: Store, kind: StoredKind, progress: SlowProgress): Promise<MigrationCount> {
  let seen = 0;
  let rewritten = 0;
  let contested = 0;
  const unreadable: string[] = [];
  let startAfter: string | undefined;
  for (;;) {
    const { entries } = await store.range({
      prefix: kind.prefix,
      limit: PAGE,
      ...(startAfter !== undefined && { startAfter }),
    });
    for (const { key } of entries) {
      seen += 1;
      progress.add(1);
      const outcome = await migrateObject(kind, key);
      if (outcome === "rewritten") rewritten += 1;
      if (outcome === "unreadable") unreadable.push(key);
      if (outcome === "contested") contested += 1;
    }
    startAfter = entries.at(-1)?.key;
    if (entries.length < PAGE || startAfter === undefined) return { seen, rewritten, unreadable, contested };
  }
}

async function migrateObject(
  kind: StoredKind,
  key: string,
): Promise<"current" | "rewritten" | "unreadable" | "contested"> {
  try {
    const current = await kind.objects.getOutdated(key);
    if (current === undefined) return "current";
    try {
      await kind.objects.rewrite(key, current.object, current.revision, kind.ttlSeconds);
      return "rewritten";
    } catch (error) {
      if (!(error instanceof CasFailedError)) throw error;
      return (await kind.objects.getOutdated(key)) === undefined ? "current" : "contested";
    }
  } catch {
    return "unreadable";
  }
}
