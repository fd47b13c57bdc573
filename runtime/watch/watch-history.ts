import type { Clock } from "../lib/clock.ts";
import type { Store, StoreEvent } from "../store/store.ts";

const PROGRESS_INTERVAL_MS = 100;

/**
 * Reads the changes under a prefix after one revision, up to and including another that has already happened, with the states they
 * replaced. Rejects with Compacted if the store has dropped them. Resolves with undefined if the store does not respond in time.
 */
export function readHistory(
  store: Store,
  request: { readonly prefix: string; readonly after: number; readonly upTo: number },
  timing: { readonly clock: Clock; readonly timeoutMs: number },
): Promise<readonly StoreEvent[] | undefined> {
  const { prefix, after, upTo } = request;
  return new Promise((resolve, reject) => {
    const found: StoreEvent[] = [];
    let over = false;
    const finish = (settle: () => void): void => {
      over = true;
      watch.close();
      cancelTimeout();
      settle();
    };
    const advance = (revision: number): void => {
      if (revision >= upTo && !over) finish(() => resolve(found));
    };
    const watch = store.watch(
      { prefix, startRevision: after + 1, previous: true },
      {
        changed: (events, revision) => {
          for (const event of events) if (event.revision <= upTo) found.push(event);
          advance(revision);
        },
        progress: advance,
        failed: (error) => finish(() => reject(error)),
      },
    );
    const cancelTimeout = timing.clock.after(timing.timeoutMs, () => finish(() => resolve(undefined)));
    const ask = (): void => {
      if (over) return;
      watch.requestProgress();
      timing.clock.after(PROGRESS_INTERVAL_MS, ask);
    };
    ask();
  });
}
