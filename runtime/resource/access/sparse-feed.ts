import { setTimeout } from "node:timers";
import type { ObjectFeed } from "../../contract/object-access.ts";
import type { ApiSurface } from "../../kinds/api-surface.ts";
import { registryPrefix } from "../../kinds/registry-key.ts";
import type { Store, StoreWatch } from "../../store/store.ts";

export interface SparseFeedParts {
  readonly store: Store;
  readonly surface: () => ApiSurface;
  /** Key prefix of all objects in the store. */
  readonly keyRoot: string;
  readonly feed: ObjectFeed;
}

/**
 * Follows kinds of which most clusters have no objects. Until the first one is stored, loads nothing of the kind and watches only its
 * prefix in the store.
 */
export function createSparseFeed({ store, surface, keyRoot, feed }: SparseFeedParts): ObjectFeed {
  return {
    async follow(resource, listener, concerns) {
      const storage = surface().findStored(resource.group, resource.resource)?.descriptor.storage;
      if (storage === undefined) {
        return () => undefined;
      }
      const prefix = registryPrefix(keyRoot, storage);
      const { entries, revision } = await store.range({ prefix, limit: 1 });
      const follow = () => feed.follow(resource, listener, concerns);
      return entries.length > 0 ? follow() : followLater(store, { prefix, startRevision: revision + 1 }, follow);
    },
  };
}

/** Retry interval while the store is unavailable. */
const RETRY_MS = 500;

function followLater(
  store: Store,
  from: { readonly prefix: string; readonly startRevision: number },
  follow: () => Promise<() => void>,
): () => void {
  let stopped = false;
  let stop: (() => void) | undefined;
  let watch: StoreWatch | undefined;
  const begin = (): void => {
    watch?.close();
    watch = undefined;
    follow().then(
      (unfollow) => {
        stop = unfollow;
        if (stopped) {
          unfollow();
        }
      },
      () => {
        if (!stopped) {
          setTimeout(begin, RETRY_MS).unref();
        }
      },
    );
  };
  watch = store.watch(from, { changed: begin, progress: () => undefined, failed: begin });
  return () => {
    stopped = true;
    watch?.close();
    stop?.();
  };
}
