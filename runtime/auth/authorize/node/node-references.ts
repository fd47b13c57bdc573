import type { ApiObject } from "../../../contract/api-object.ts";
import type { Naming } from "../../../contract/naming.ts";
import type { GroupResource, ObjectFeed } from "../../../contract/object-access.ts";

type Fields = Readonly<Record<string, unknown>>;

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
    const storage = this.#naming.group("storage");
    const stops = await Promise.all([
      this.#follow(feed, { group: "", resource: "pods" }, podEdges),
      this.#follow(feed, { group: "", resource: "persistentvolumes" }, volumeEdges),
      this.#follow(feed, { group: storage, resource: "volumeattachments" }, attachmentEdges),
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
      open.push(...(this.#sources.get(next) ?? []));
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

/** A node leads to its pods, a pod to all it names. */
function podEdges(pod: ApiObject): Edge[] {
  const { namespace = "", name = "" } = pod.metadata;
  const { nodeName } = (pod.spec ?? {}) as { nodeName?: string };
  if (!nodeName) return [];
  const own = key("pods", namespace, name);
  return [[key("nodes", "", nodeName), own], ...podReferences(pod).map((target): Edge => [own, target])];
}

/** Its account, secrets, config maps and claims. */
function podReferences({ metadata, spec }: ApiObject): string[] {
  const namespace = metadata.namespace ?? "";
  const found = new Set<string>();
  const add = (resource: string, name: unknown) => {
    if (typeof name === "string" && name !== "") found.add(key(resource, namespace, name));
  };
  const nameIn = (value: unknown, field = "name") => (value as Fields | undefined)?.[field];
  const pod = (spec ?? {}) as Fields & { serviceAccountName?: string };
  const list = (value: unknown) => (value ?? []) as readonly Fields[];

  add("serviceaccounts", pod.serviceAccountName);
  for (const secret of list(pod.imagePullSecrets)) add("secrets", secret.name);
  for (const containers of [pod.containers, pod.initContainers, pod.ephemeralContainers])
    for (const container of list(containers)) {
      for (const variable of list(container.env)) {
        const from = variable.valueFrom as Fields | undefined;
        add("secrets", nameIn(from?.secretKeyRef));
        add("configmaps", nameIn(from?.configMapKeyRef));
      }
      for (const source of list(container.envFrom)) {
        add("secrets", nameIn(source.secretRef));
        add("configmaps", nameIn(source.configMapRef));
      }
    }
  for (const volume of list(pod.volumes)) {
    add("secrets", nameIn(volume.secret, "secretName"));
    add("configmaps", nameIn(volume.configMap));
    add("persistentvolumeclaims", nameIn(volume.persistentVolumeClaim, "claimName"));
    if (volume.ephemeral !== undefined) add("persistentvolumeclaims", `${metadata.name}-${volume.name}`);
    add("secrets", nameIn((volume.csi as Fields | undefined)?.nodePublishSecretRef));
    for (const source of list((volume.projected as Fields | undefined)?.sources)) {
      add("secrets", nameIn(source.secret));
      add("configmaps", nameIn(source.configMap));
    }
    for (const type of ["azureFile", "cephfs", "cinder", "flexVolume", "iscsi", "rbd", "scaleIO", "storageos"])
      add("secrets", nameIn((volume[type] as Fields | undefined)?.secretRef) ?? nameIn(volume[type], "secretName"));
  }
  for (const claim of list(pod.resourceClaims)) add("resourceclaims", claim.resourceClaimName);
  return [...found];
}

/** A claim leads to its volume, the volume to its secrets. */
function volumeEdges({ metadata, spec }: ApiObject): Edge[] {
  const own = key("persistentvolumes", "", metadata.name ?? "");
  const { claimRef, csi = {} } = (spec ?? {}) as { claimRef?: ObjectRef; csi?: Readonly<Record<string, ObjectRef>> };
  const secrets = [csi.nodePublishSecretRef, csi.nodeStageSecretRef, csi.nodeExpandSecretRef];
  return [
    ...(claimRef?.name ? [[key("persistentvolumeclaims", claimRef.namespace ?? "", claimRef.name), own] as const] : []),
    ...secrets.flatMap((ref): Edge[] => (ref?.name ? [[own, key("secrets", ref.namespace ?? "", ref.name)]] : [])),
  ];
}

interface ObjectRef {
  readonly name?: string;
  readonly namespace?: string;
}

function attachmentEdges({ metadata, spec }: ApiObject): Edge[] {
  const { nodeName } = (spec ?? {}) as { nodeName?: string };
  return nodeName ? [[key("nodes", "", nodeName), key("volumeattachments", "", metadata.name ?? "")]] : [];
}
