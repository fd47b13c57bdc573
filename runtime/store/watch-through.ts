import type { Store, StoreWatch, WatchReceiver, WatchRequest } from "./store.ts";

/** Opens a watch of a store whose events pass through `receiver`, which is closed with the watch. */
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
