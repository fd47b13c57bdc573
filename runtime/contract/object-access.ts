import type { ApiObject, ObjectMeta } from "./api-object.ts";

export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** A stored kind that is subject to garbage collection: its objects can be listed, watched and deleted. */
export interface CollectedKind {
  readonly resource: GroupResource;
  readonly namespaced: boolean;
}

/**
 * Reads stored objects, each in its storage version. Results reflect every write that was acknowledged before the call. They are shared and must
 * not be changed. The namespace of cluster-scoped objects is `""`. A kind that is not served at this release has no objects.
 */
export interface ObjectReader {
  get(resource: GroupResource, namespace: string, name: string): Promise<ApiObject | undefined>;
  /** Lists all namespaces by default; labels must match exactly. */
  list(
    resource: GroupResource,
    namespace?: string,
    labels?: Readonly<Record<string, string>>,
  ): Promise<readonly ApiObject[]>;
  /** Lists the metadata of all objects in a namespace, without managedFields. The complete objects may exceed the available memory. */
  listMetadata(resource: GroupResource, namespace: string): Promise<readonly ObjectMeta[]>;
}

export interface ObjectChange {
  readonly type: "put" | "delete";
  /** Available without parsing the object. */
  readonly name: string;
  /** The object; for a deletion, its last state. Parsed on access. */
  readonly object: ApiObject;
  /** The object, parsed for this access and not cached, for large objects of which only little is used. Absent if nothing needs parsing. */
  readonly objectOnce?: ApiObject;
  /** Like `objectOnce`, without the members at these paths, which pass through the items of lists. Absent if nothing needs parsing. */
  objectWithout?(paths: readonly MemberPath[]): ApiObject;
  /** Metadata without managedFields: cheaper than the whole object. */
  readonly metadata: ObjectMeta;
}

/** Path of a member, through the items of lists: `["spec", "versions", "schema"]`. */
export type MemberPath = readonly string[];

/** The information about an object that is available without reading it. */
export interface ExistingObject {
  readonly name: string;
  /** Whether the object has no owners and no finalizers and is not being deleted. False if unknown. */
  readonly standsAlone: boolean;
}

/** Watches all objects of a resource. */
export interface ObjectFeed {
  /**
   * Calls the listener for every existing object before the promise resolves, then for each change in order of revision. The returned function
   * stops the watch. The listener must not throw and must not block. `concerns` selects the existing objects for which it is called (default:
   * all), because they may be on disk only and take minutes to read.
   */
  follow(
    resource: GroupResource,
    listener: (change: ObjectChange) => void,
    concerns?: (existing: ExistingObject) => boolean,
  ): Promise<() => void>;
}

/** What a deletion does to dependents. */
export type PropagationPolicy = "Foreground" | "Background" | "Orphan";

export interface DeleteRequest {
  readonly propagationPolicy?: PropagationPolicy;
  readonly gracePeriodSeconds?: number;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** The result of an update. The object is parsed on access. */
export interface WrittenObject {
  readonly resourceVersion: string;
  readonly object: ApiObject;
}

/** The field manager of a write. Defaults to that of the server. */
export interface WriteAs {
  readonly fieldManager?: string;
  /** Whether the operation is recorded as Apply instead of Update. */
  readonly applied?: boolean;
}

/**
 * Writes objects of storage versions through the server's own write path, as the server itself (without authorization). If `resourceVersion` is
 * set, an object is replaced only if that is still its stored version. Errors are StatusErrors (`AlreadyExists`, `Conflict`, `NotFound` …).
 */
export interface ObjectWriter {
  create(resource: GroupResource, object: ApiObject, as?: WriteAs): Promise<ApiObject>;
  update(resource: GroupResource, object: ApiObject, subresource?: string, as?: WriteAs): Promise<WrittenObject>;
  delete(resource: GroupResource, namespace: string, name: string, options?: DeleteRequest): Promise<void>;
}

/** Updates objects of storage versions as they are stored. Takes one read less than `get` and `update`. */
export interface ObjectChanger {
  /** `change` returns the new object for the current one, which it must not change. It is called again if another write comes first. */
  change(
    resource: GroupResource,
    place: ObjectPlace,
    change: (live: ApiObject) => ApiObject,
    subresource?: string,
  ): Promise<WrittenObject>;
}

export interface ObjectPlace {
  /** `""` for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}
