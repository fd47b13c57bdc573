/** `/registry/pods/`: where a kind's objects are kept below a root; ends with a slash. */
export function registryPrefix(root: string, storage: { readonly resource: string; readonly prefix?: string }): string {
  return `${root}/${storage.prefix ?? storage.resource}/`;
}

/**
 * Whether the keys of a kind contain its group. In Kubernetes these are the kinds that are not served by the kube-apiserver proper (custom
 * kinds, their definitions, APIServices): their values in etcd are JSON, where those of all others are protobuf.
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

/** The prefix of the keys in one namespace, or of all where none is given. */
export function registryScope(prefix: string, namespace: string): string {
  return namespace === "" ? prefix : `${prefix}${namespace}/`;
}

/** Where the object of a key is: the inverse of `registryKey`. */
export function placeOfKey(prefix: string, key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.lastIndexOf("/");
  return { namespace: key.slice(prefix.length, Math.max(slash, prefix.length)), name: key.slice(slash + 1) };
}
