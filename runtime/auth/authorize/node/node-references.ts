import type { ApiObject } from "../../../contract/api-object.ts";
import type { Naming } from "../../../contract/naming.ts";
import type { GroupResource, ObjectFeed } from "../../../contract/object-access.ts";
import { podReferences, volumeReferences } from "../../../values/object-references.ts";

/**
 * The objects to which the pods of a node refer, directly or indirectly (a claim to its volume, a volume to its secrets). Loaded on first use, since
 * most servers never receive a request of a node, and then kept up to date by watches.
 */
export class NodeReferences {
  readonly #naming: Naming;
  /** The references of each object. */
  readonly #edges = new Map<string, readonly Edge[]>();
  /** The referring objects of each referenced object. */
  readonly #sources = new Map<string, Set<string>>();

  #feed: ObjectFeed | undefined;
  #loaded = false;
  #loading: Promise<() => void> | undefined;

  constructor(naming: Naming) {
    this.#naming = naming;
  }

  /** Sets the feed to load from. Returns a function that ends the watches. */
  use(feed: ObjectFeed): () => void {
    this.#feed = feed;
    return () => {
      this.#feed = undefined;
      void this.#loading?.then((stop) => stop()).catch(() => undefined);
    };
  }

  /** Whether all existing objects are loaded. Until then, `load` must be awaited before `reaches`. */
  get loaded(): boolean {
    return this.#loaded;
  }

  /** Resolves when all existing objects are loaded. */
  async load(): Promise<void> {
    if (this.#feed === undefined) throw new Error("the references of nodes are not followed");
    this.#loading ??= this.#follow(this.#feed);
    try {
      await this.#loading;
      this.#loaded = true;
    } catch (error) {
      this.#loading = undefined;
      throw error;
    }
  }

  async #follow(feed: ObjectFeed): Promise<() => void> {
    const mirror = `${this.#naming.vendor}.io/config.mirror`;
    const slices = { group: this.#naming.group("resource"), resource: "resourceslices" };
    const attachments = { group: this.#naming.group("storage"), resource: "volumeattachments" };
    const stops = await Promise.all([
      this.#followKind(feed, { group: "", resource: "pods" }, (pod) => podEdges(pod, mirror)),
      this.#followKind(feed, { group: "", resource: "persistentvolumes" }, volumeEdges),
      this.#followKind(feed, attachments, ofNode("volumeattachments")),
      this.#followKind(feed, slices, ofNode("resourceslices")),
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

  #followKind(feed: ObjectFeed, resource: GroupResource, read: (object: ApiObject) => Edge[]): Promise<() => void> {
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

/** Grants a node that may read the source to read the target. */
type Edge = readonly [source: string, target: string];

function key(resource: string, namespace: string, name: string): string {
  return `${resource} ${namespace}/${name}`;
}

/**
 * Returns edges from a node to its pod, and from the pod to the objects that it names. A mirror pod has no edges to objects: nodes create mirror pods
 * and could name any object in them.
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

/** PersistentVolumeClaims of generic ephemeral volumes. */
function ephemeralClaims({ metadata, spec }: ApiObject): Named[] {
  const { volumes = [] } = (spec ?? {}) as { volumes?: readonly { name: string; ephemeral?: unknown }[] };
  return volumes
    .filter(({ ephemeral }) => ephemeral !== undefined)
    .map(({ name }) => ({ resource: "persistentvolumeclaims", name: `${metadata.name}-${name}` }));
}

/** ResourceClaims that were created from the templates of the pod. The status of the pod contains their names. */
function claimsFromTemplates({ spec, status }: ApiObject): Named[] {
  const { resourceClaims = [] } = (spec ?? {}) as { resourceClaims?: readonly PodClaim[] };
  if (resourceClaims.length === 0) return [];
  const { resourceClaimStatuses = [] } = (status ?? {}) as { resourceClaimStatuses?: readonly PodClaim[] };
  const made = new Map<string, string>();
  for (const { name, resourceClaimName = "" } of resourceClaimStatuses)
    if (!made.has(name)) made.set(name, resourceClaimName);
  return resourceClaims
    .filter(({ resourceClaimTemplateName }) => resourceClaimTemplateName)
    .map(({ name }) => made.get(name) ?? "")
    .map((name) => ({ resource: "resourceclaims", name }));
}

interface PodClaim {
  readonly name: string;
  readonly resourceClaimName?: string;
  readonly resourceClaimTemplateName?: string;
}

/** Volume sources whose secrets must specify a namespace. For other sources it defaults to the namespace of the claim. */
const NAMESPACE_REQUIRED = ["csi", "cinder", "storageos"];

/** Returns edges from a claim to its volume, and from the volume to the secrets that it uses. */
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

/** Returns a function for the edge from a node to an object with `spec.nodeName`. */
function ofNode(resource: string): (object: ApiObject) => Edge[] {
  return ({ metadata, spec }) => {
    const { nodeName } = (spec ?? {}) as { nodeName?: string };
    return nodeName ? [[key("nodes", "", nodeName), key(resource, "", metadata.name ?? "")]] : [];
  };
}
