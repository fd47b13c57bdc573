import type { ApiObject, ObjectMeta } from "./api-object.ts";

export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** `deployments.apps`, `pods`: how messages name a resource. */
export function formatGroupResource(resource: GroupResource): string {
  return resource.group === "" ? resource.resource : `${resource.resource}.${resource.group}`;
}

/**
 * Reads stored objects, each in its storage version, as recent as every write acknowledged before the call. What is
 * returned is shared: it must not be changed. The namespace of cluster-scoped objects is `""`. Of a kind that is not served
 * at this release there are no objects.
 */
export interface ObjectReader {
  get(resource: GroupResource, namespace: string, name: string): Promise<ApiObject | undefined>;
  /** All namespaces when none is given; labels are matched exactly. */
  list(
    resource: GroupResource,
    namespace?: string,
    labels?: Readonly<Record<string, string>>,
  ): Promise<readonly ApiObject[]>;
}

export interface ObjectChange {
  readonly type: "put" | "delete";
  /** Known without reading anything of the object. */
  readonly name: string;
  /** For a deletion, the last state. Parsed when asked for. */
  readonly object: ApiObject;
  /** What its metadata says, owners of fields aside: cheaper than the object. */
  readonly metadata: ObjectMeta;
}

/** Follows all objects of a resource. */
export interface ObjectFeed {
  /**
   * Tells the listener of every existing object before the promise resolves, then of each change in order of revision.
   * Calling what it returns ends it. The listener must not throw and not block.
   */
  follow(resource: GroupResource, listener: (change: ObjectChange) => void): Promise<() => void>;
}

export interface DeleteRequest {
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
  readonly gracePeriodSeconds?: number;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** Under which name the fields of a write are recorded; the server's own unless given. */
export interface WriteAs {
  readonly fieldManager?: string;
  /** Recorded as applied rather than updated. */
  readonly applied?: boolean;
}

/**
 * Writes objects of storage versions through the server's own write path, as the server itself (no authorization). An
 * object whose `resourceVersion` is set is only replaced if that is still the stored one. Failures are StatusErrors
 * (`AlreadyExists`, `Conflict`, `NotFound` …).
 */
export interface ObjectWriter {
  create(resource: GroupResource, object: ApiObject, as?: WriteAs): Promise<ApiObject>;
  update(resource: GroupResource, object: ApiObject, subresource?: string, as?: WriteAs): Promise<ApiObject>;
  delete(resource: GroupResource, namespace: string, name: string, options?: DeleteRequest): Promise<void>;
}
