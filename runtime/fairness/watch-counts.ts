import type { ResourceRequestInfo } from "../contract/request-info.ts";

/** Counts open watches by scope: a resource, one of its namespaces, or one object. */
export class WatchCounts {
  readonly #counts = new Map<string, number>();

  /** Counts a watch until the returned function is called. */
  add(info: ResourceRequestInfo): () => void {
    // A write affects only the pods of one node: watches of single nodes do not receive most writes.
    if (info.resource === "pods" && selectsNode(info)) return () => undefined;
    const key = keyOf(info.group, info.resource, info.namespace, info.name);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    return () => {
      const left = (this.#counts.get(key) ?? 0) - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
    };
  }

  /** Returns the number of watches that receive a write: those of the whole resource, of the namespace and of the object. */
  concernedBy({ group, resource, namespace, name }: ResourceRequestInfo): number {
    if (this.#counts.size === 0) return 0;
    let count = this.#counts.get(keyOf(group, resource, "", "")) ?? 0;
    if (namespace !== "") count += this.#counts.get(keyOf(group, resource, namespace, "")) ?? 0;
    if (name !== "") count += this.#counts.get(keyOf(group, resource, namespace, name)) ?? 0;
    return count;
  }
}

function keyOf(group: string, resource: string, namespace: string, name: string): string {
  return `${group}\u0000${resource}\u0000${namespace}\u0000${name}`;
}

function selectsNode({ selectors }: ResourceRequestInfo): boolean {
  const requirements = selectors.fieldSelector?.requirements ?? [];
  return requirements.some(({ field, equal, value }) => field === "spec.nodeName" && equal && value !== "");
}
