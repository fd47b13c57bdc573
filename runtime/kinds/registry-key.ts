/** Returns the key prefix of a kind below a root, with a trailing slash: `/registry/pods/`. */
export function registryPrefix(root: string, storage: { readonly resource: string; readonly prefix?: string }): string {
  return `${root}/${storage.prefix ?? storage.resource}/`;
}

/**
 * Whether the keys of a kind contain its group. In Kubernetes, this applies to kinds that kube-apiserver itself does not serve: custom kinds,
 * their definitions, and APIServices. Their values in etcd are JSON; those of all other kinds are protobuf.
 */
export function isKeyedByGroup({ group, resource, prefix }: StoredUnder): boolean {
  return group !== "" && prefix === `${group}/${resource}`;
}

interface StoredUnder {
  readonly group: string;
  readonly resource: string;
  readonly prefix?: string;
}

/** The key of one object. */
export function registryKey(prefix: string, namespace: string, name: string): string {
  return namespace === "" ? `${prefix}${name}` : `${prefix}${namespace}/${name}`;
}

/** Returns the prefix of the keys in one namespace, or of all keys if the namespace is empty. */
export function registryScope(prefix: string, namespace: string): string {
  return namespace === "" ? prefix : `${prefix}${namespace}/`;
}

/** Splits a key into namespace and name: the inverse of `registryKey`. */
export function placeOfKey(prefix: string, key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.lastIndexOf("/");
  return { namespace: key.slice(prefix.length, Math.max(slash, prefix.length)), name: key.slice(slash + 1) };
}
