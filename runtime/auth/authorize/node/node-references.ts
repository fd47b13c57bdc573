import type { ApiObject } from "../../../contract/api-object.ts";
import type { Naming } from "../../../contract/naming.ts";
import type { GroupResource, ObjectFeed } from "../../../contract/object-access.ts";
import { podReferences, volumeReferences } from "../../../values/object-references.ts";

/**
 * What nodes have to do with: the objects that pods on them refer to, and what those refer to in turn (a claim to its
 * volume, a volume to its secrets). Kept from changes, asked without waiting.
 */
export class NodeReferences {
  readonly #naming: Naming;
  /** The references each object stands for. */
  readonly #edges = new Map<string, readonly Edge[]>();
  /** By what is referred to: who refers. */
  readonly #sources = new Map<string, Set<string>>();

  constructor(naming: Naming) {
    this.#naming = naming;
  }

  async follow(feed: ObjectFeed): Promise<() => void> {
    const mirror = `${this.#naming.vendor}.io/config.mirror`;
    const slices = { group: this.#naming.group("resource"), resource: "resourceslices" };
    const attachments = { group: this.#naming.group("storage"), resource: "volumeattachments" };
    const stops = await Promise.all([
      this.#follow(feed, { group: "", resource: "pods" }, (pod) => podEdges(pod, mirror)),
      this.#follow(feed, { group: "", resource: "persistentvolumes" }, volumeEdges),
      this.#follow(feed, attachments, ofNode("volumeattachments")),
      this.#follow(feed, slices, ofNode("resourceslices")),
    ]);
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** Whether a chain of references leads from the node to the object. */
  reaches(node: string, resource: string, namespace: string, name: string): boolean {
    const seen = new Set<string>();
    const open = [key(resource, namespace, name)];
    const goal = key("nodes", "", node);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next === goal) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      for (const source of this.#sources.get(next) ?? []) open.push(source);
    }
    return false;
  }

  #follow(feed: ObjectFeed, resource: GroupResource, read: (object: ApiObject) => Edge[]): Promise<() => void> {
    return feed.follow(resource, ({ type, object }) => {
      const { namespace = "", name = "" } = object.metadata;
      this.#replace(key(resource.resource, namespace, name), type === "delete" ? [] : read(object));
    });
  }

  #replace(object: string, edges: readonly Edge[]): void {
    for (const [source, target] of this.#edges.get(object) ?? []) {
      const sources = this.#sources.get(target);
      sources?.delete(source);
      if (sources?.size === 0) this.#sources.delete(target);
    }
    if (edges.length === 0) this.#edges.delete(object);
    else this.#edges.set(object, edges);
    for (const [source, target] of edges) {
      const sources = this.#sources.get(target) ?? new Set();
      this.#sources.set(target, sources.add(source));
    }
  }
}

/** Whoever may read the first may read the second. */
type Edge = readonly [source: string, target: string];

function key(resource: string, namespace: string, name: string): string {
  return `${resource} ${namespace}/${name}`;
}

/**
 * A node leads to its pods, a pod to all it names. A mirror pod leads nowhere: nodes create those, and could name what they
 * want to read.
 */
function podEdges(pod: ApiObject, mirror: string): Edge[] {
  const { namespace = "", name = "", annotations } = pod.metadata;
  const { nodeName } = (pod.spec ?? {}) as { nodeName?: string };
  if (!nodeName) return [];
  const own = key("pods", namespace, name);
  const edges: Edge[] = [[key("nodes", "", nodeName), own]];
  if (annotations?.[mirror] !== undefined) return edges;
  const targets = [
    ...podReferences(pod.spec as object | undefined),
    ...ephemeralClaims(pod),
    ...claimsFromTemplates(pod),
  ].flatMap(({ resource, name }) => (name === "" ? [] : key(resource, namespace, name)));
  return [...edges, ...[...new Set(targets)].map((target): Edge => [own, target])];
}

interface Named {
  readonly resource: string;
  readonly name: string;
}

/** Volumes whose claim is made for the pod. */
function ephemeralClaims({ metadata, spec }: ApiObject): Named[] {
  const { volumes = [] } = (spec ?? {}) as { volumes?: readonly { name: string; ephemeral?: unknown }[] };
  return volumes
    .filter(({ ephemeral }) => ephemeral !== undefined)
    .map(({ name }) => ({ resource: "persistentvolumeclaims", name: `${metadata.name}-${name}` }));
}

/** Resource claims that were made from the templates that the pod names; its status says what they are called. */
function claimsFromTemplates({ spec, status }: ApiObject): Named[] {
  const { resourceClaims = [] } = (spec ?? {}) as { resourceClaims?: readonly PodClaim[] };
  if (resourceClaims.length === 0) return [];
  const { resourceClaimStatuses = [] } = (status ?? {}) as { resourceClaimStatuses?: readonly PodClaim[] };
  return resourceClaims
    .filter(({ resourceClaimTemplateName }) => resourceClaimTemplateName)
    .map(({ name }) => resourceClaimStatuses.find((made) => made.name === name)?.resourceClaimName ?? "")
    .map((name) => ({ resource: "resourceclaims", name }));
}

interface PodClaim {
  readonly name: string;
  readonly resourceClaimName?: string;
  readonly resourceClaimTemplateName?: string;
}

/** Sources whose secrets must say in which namespace they are; elsewhere it is by default that of the claim. */
const NAMESPACE_REQUIRED = ["csi", "cinder", "storageos"];

/** A claim leads to its volume, the volume to the secrets that mount it. */
function volumeEdges({ metadata, spec }: ApiObject): Edge[] {
  const own = key("persistentvolumes", "", metadata.name ?? "");
  const { claimRef, ...source } = (spec ?? {}) as Record<string, unknown> & {
    claimRef?: { namespace?: string; name?: string };
  };
  if (!claimRef?.name) return [];
  const fallback = NAMESPACE_REQUIRED.some((type) => source[type] !== undefined) ? "" : (claimRef.namespace ?? "");
  return [
    [key("persistentvolumeclaims", claimRef.namespace ?? "", claimRef.name), own],
    ...volumeReferences(source).flatMap(({ resource, name, namespace = fallback }): Edge[] =>
      name === "" ? [] : [[own, key(resource, namespace, name)]],
    ),
  ];
}

/** Objects that say in their specification to which node they belong. */
function ofNode(resource: string): (object: ApiObject) => Edge[] {
  return ({ metadata, spec }) => {
    const { nodeName } = (spec ?? {}) as { nodeName?: string };
    return nodeName ? [[key("nodes", "", nodeName), key(resource, "", metadata.name ?? "")]] : [];
  };
}
