import { inSpan } from "../lib/trace-context.ts";
import type { Store } from "../store/store.ts";

/** The same store, whose operations are spans of the requests that need them, with the names that Kubernetes gives them. */
export function tracedStore(store: Store): Store {
  const traced: Partial<Store> = {
    get: (key, options) => inSpan("Get etcd3", { key }, () => store.get(key, options)),
    range: (request) => inSpan("List(recursive=true) etcd3", { key: request.prefix }, () => store.range(request)),
    put: (key, value, options) =>
      inSpan(options.expected === 0 ? "Create etcd3" : "GuaranteedUpdate etcd3", { key }, () =>
        store.put(key, value, options),
      ),
    delete: (key, options) => inSpan("Delete etcd3", { key }, () => store.delete(key, options)),
  };
  return new Proxy(store, {
    get(target, name) {
      const own = traced[name as keyof Store];
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
