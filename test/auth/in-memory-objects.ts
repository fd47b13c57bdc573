import type { ApiObject } from "../../runtime/contract/api-object.ts";
import { formatGroupResource } from "../../runtime/contract/group-version.ts";
import type {
  DeleteRequest,
  ExistingObject,
  GroupResource,
  ObjectChange,
  ObjectFeed,
  ObjectReader,
  ObjectWriter,
  WrittenObject,
} from "../../runtime/contract/object-access.ts";
import { alreadyExists, conflict, MODIFIED_MEANWHILE, notFound } from "../../runtime/values/status-errors.ts";

function definedOnly<T extends object>(parts: T): Partial<T> {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** Objects in a map: a reader, writer and feed for tests, which supports UIDs, revisions and finalizers. */
export class InMemoryObjects implements ObjectReader, ObjectWriter, ObjectFeed {
  readonly #objects = new Map<string, Map<string, ApiObject>>();
  readonly #listeners = new Map<string, Set<(change: ObjectChange) => void>>();
  readonly log: string[] = [];
  #revision = 0;

  /** Stores an object unchanged, without recording it in the log. */
  async seed(resource: GroupResource, ...objects: ApiObject[]): Promise<void> {
    for (const object of objects) this.#put(resource, object);
  }

  async get(resource: GroupResource, namespace: string, name: string): Promise<ApiObject | undefined> {
    return this.#table(resource).get(`${namespace}/${name}`);
  }

  async list(resource: GroupResource, namespace?: string, labels: Readonly<Record<string, string>> = {}) {
    return [...this.#table(resource).values()].filter(
      (object) =>
        (namespace === undefined || (object.metadata.namespace ?? "") === namespace) &&
        Object.entries(labels).every(([key, value]) => object.metadata.labels?.[key] === value),
    );
  }

  async listMetadata(resource: GroupResource, namespace: string) {
    return (await this.list(resource, namespace)).map(({ metadata }) => metadata);
  }

  async create(resource: GroupResource, object: ApiObject): Promise<ApiObject> {
    const { name = "", namespace = "" } = object.metadata;
    if (this.#table(resource).has(`${namespace}/${name}`)) throw alreadyExists(resource, name);
    this.log.push(`create ${formatGroupResource(resource)} ${namespace}/${name}`);
    return this.#put(resource, object);
  }

  async update(resource: GroupResource, object: ApiObject, subresource = ""): Promise<WrittenObject> {
    const { name = "", namespace = "", resourceVersion } = object.metadata;
    const live = this.#table(resource).get(`${namespace}/${name}`);
    if (live === undefined) throw notFound(resource, name);
    if (resourceVersion !== undefined && resourceVersion !== live.metadata.resourceVersion)
      throw conflict(resource, name, MODIFIED_MEANWHILE);
    this.log.push(`update ${formatGroupResource(resource)}${subresource && `/${subresource}`} ${namespace}/${name}`);
    const kept = { uid: live.metadata.uid, labels: live.metadata.labels, annotations: live.metadata.annotations };
    const changed =
      subresource === "status"
        ? { ...live, status: object.status, metadata: { ...object.metadata, ...definedOnly(kept) } }
        : object;
    const stored = this.#put(resource, changed);
    const spec = stored.spec as { finalizers?: string[] } | undefined;
    const finalizers = [...(stored.metadata.finalizers ?? []), ...(spec?.finalizers ?? [])];
    if (stored.metadata.deletionTimestamp !== undefined && finalizers.length === 0) this.#remove(resource, stored);
    return { resourceVersion: stored.metadata.resourceVersion ?? "", object: stored };
  }

  async delete(resource: GroupResource, namespace: string, name: string, options: DeleteRequest = {}): Promise<void> {
    const live = this.#table(resource).get(`${namespace}/${name}`);
    if (live === undefined) throw notFound(resource, name);
    if (options.uid !== undefined && options.uid !== live.metadata.uid) throw conflict(resource, name, "uid mismatch");
    if (options.resourceVersion !== undefined && options.resourceVersion !== live.metadata.resourceVersion)
      throw conflict(resource, name, MODIFIED_MEANWHILE);
    this.log.push(`delete ${formatGroupResource(resource)} ${namespace}/${name}`);
    const finalizers = new Set(live.metadata.finalizers ?? []);
    if (options.propagationPolicy === "Foreground") finalizers.add("foregroundDeletion");
    if (options.propagationPolicy === "Orphan") finalizers.add("orphan");
    const spec = live.spec as { finalizers?: string[] } | undefined;
    if (finalizers.size === 0 && !spec?.finalizers?.length) return this.#remove(resource, live);
    if (live.metadata.deletionTimestamp !== undefined && finalizers.size === (live.metadata.finalizers?.length ?? 0))
      return;
    const metadata = { ...live.metadata, deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: [...finalizers] };
    this.#put(resource, { ...live, metadata });
  }

  async follow(
    resource: GroupResource,
    listener: (change: ObjectChange) => void,
    concerns: (existing: ExistingObject) => boolean = () => true,
  ): Promise<() => void> {
    for (const object of this.#table(resource).values()) {
      const { name = "", ownerReferences, finalizers, deletionTimestamp } = object.metadata;
      const standsAlone = [ownerReferences, finalizers, deletionTimestamp].every((tie) => tie === undefined);
      if (concerns({ name, standsAlone })) listener({ type: "put", object, name, metadata: object.metadata });
    }
    const key = formatGroupResource(resource);
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  #table(resource: GroupResource): Map<string, ApiObject> {
    const key = formatGroupResource(resource);
    let table = this.#objects.get(key);
    if (table === undefined) this.#objects.set(key, (table = new Map()));
    return table;
  }

  #put(resource: GroupResource, object: ApiObject): ApiObject {
    const { name = "", namespace = "" } = object.metadata;
    const uid = object.metadata.uid ?? `uid-${formatGroupResource(resource)}-${namespace}-${name}`;
    const metadata = { ...object.metadata, uid, resourceVersion: String(++this.#revision) };
    const stored = structuredClone({ ...object, metadata });
    this.#table(resource).set(`${namespace}/${name}`, stored);
    this.#tell(resource, { type: "put", object: stored, name: stored.metadata.name ?? "", metadata: stored.metadata });
    return stored;
  }

  #remove(resource: GroupResource, object: ApiObject): void {
    this.#table(resource).delete(`${object.metadata.namespace ?? ""}/${object.metadata.name}`);
    this.#tell(resource, { type: "delete", object, name: object.metadata.name ?? "", metadata: object.metadata });
  }

  #tell(resource: GroupResource, change: ObjectChange): void {
    for (const listener of this.#listeners.get(formatGroupResource(resource)) ?? []) listener(change);
  }
}
