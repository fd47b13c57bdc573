import { inSpan } from "../lib/trace-context.ts";
import type { Store } from "../store/store.ts";
import type { WatchCache } from "../watch/watch-cache.ts";

/** Wraps a store so that its operations are spans of the requests that need them, with the names that Kubernetes uses. */
export function tracedStore(store: Store): Store {
  return withMethods<Store>(store, {
    get: (key, options) => inSpan("Get etcd3", { key }, () => store.get(key, options)),
    range: (request) => inSpan("List(recursive=true) etcd3", { key: request.prefix }, () => store.range(request)),
    put: (key, value, options) =>
      inSpan(options.expected === 0 ? "Create etcd3" : "GuaranteedUpdate etcd3", { key }, () =>
        store.put(key, value, options),
      ),
    delete: (key, options) => inSpan("Delete etcd3", { key }, () => store.delete(key, options)),
  });
}

/** Wraps a watch cache so that its reads are spans. `prefix` is that of its keys. */
export function tracedCache(cache: WatchCache, prefix: string): WatchCache {
  const attributes = (key: string, version = "") => ({ key, "resource-version": version });
  return withMethods(cache, {
    get: (key, version) => inSpan("cacher.Get", attributes(key, version), () => cache.get(key, version)),
    getStored: (key, version) => inSpan("cacher.Get", attributes(key, version), () => cache.getStored(key, version)),
    list: (request) => inSpan("cacher.GetList", { key: prefix }, () => cache.list(request)),
  });
}

/** Returns a proxy of an object with some methods replaced. */
function withMethods<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get(_, name) {
      const own = methods[name as keyof T];
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
