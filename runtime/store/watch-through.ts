import type { Store, StoreWatch, WatchReceiver, WatchRequest } from "./store.ts";

/** A watch of a store whose events pass through a receiver that is closed with the watch. */
export function watchThrough(
  inner: Store,
  request: WatchRequest,
  receiver: WatchReceiver & { close(): void },
): StoreWatch {
  const watch = inner.watch(request, receiver);
  return {
    requestProgress: () => watch.requestProgress(),
    close() {
      receiver.close();
      watch.close();
    },
  };
}
