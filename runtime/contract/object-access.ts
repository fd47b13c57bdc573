import type { ApiObject, ObjectMeta } from "./api-object.ts";

export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** A stored kind whose objects can be listed, watched and deleted: what garbage collection is concerned with. */
export interface CollectedKind {
  readonly resource: GroupResource;
  readonly namespaced: boolean;
}

/**
 * Reads stored objects, each in its storage version, as recent as every write acknowledged before the call. What is
 * returned is shared: it must not be changed. The namespace of cluster-scoped objects is `""`. Of a kind that is not served
 * at this release there are no objects.
 */
export interface ObjectReader {
  get(resource: GroupResource, namespace: string, name: string): Promise<ApiObject | undefined>;
  /** Lists all namespaces by default; labels must match exactly. */
  list(
    resource: GroupResource,
    namespace?: string,
    labels?: Readonly<Record<string, string>>,
  ): Promise<readonly ApiObject[]>;
  /** The metadata of all objects in a namespace, without managedFields: the objects themselves may take more memory than there is. */
  listMetadata(resource: GroupResource, namespace: string): Promise<readonly ObjectMeta[]>;
}

export interface ObjectChange {
  readonly type: "put" | "delete";
  /** Available without parsing the object. */
  readonly name: string;
  /** For a deletion, the last state. Parsed on access. */
  readonly object: ApiObject;
  /** The same, parsed for this access and not kept, for large objects of which little is used; absent where nothing is parsed. */
  readonly objectOnce?: ApiObject;
  /** `objectOnce` without the members at these paths, which lead through the items of lists; absent where nothing is parsed. */
  objectWithout?(paths: readonly MemberPath[]): ApiObject;
  /** Metadata without managedFields: cheaper than the whole object. */
  readonly metadata: ObjectMeta;
}

/** `["spec", "versions", "schema"]`: a member of each item of a list. */
export type MemberPath = readonly string[];

/** What is known of an object without reading it. */
export interface ExistingObject {
  readonly name: string;
  /** It has no owners and no finalizers, and is not being deleted. False if it has, or if that is not known. */
  readonly standsAlone: boolean;
}

/** Watches all objects of a resource. */
export interface ObjectFeed {
  /**
   * Calls the listener for every existing object before the promise resolves, then for each change in order of revision.
   * The returned function stops the watch. The listener must not throw and not block. `concerns` tells which of the existing objects it is
   * called for, all by default: they may be on disk only, and take minutes to read.
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

/** What an update has written. The object is parsed on access. */
export interface WrittenObject {
  readonly resourceVersion: string;
  readonly object: ApiObject;
}

/** The field manager of a write; defaults to that of the server. */
export interface WriteAs {
  readonly fieldManager?: string;
  /** Recorded as the operation Apply rather than Update. */
  readonly applied?: boolean;
}

/**
 * Writes objects of storage versions through the server's own write path, as the server itself (no authorization). An
 * object whose `resourceVersion` is set is only replaced if that is still the stored one. Failures are StatusErrors
 * (`AlreadyExists`, `Conflict`, `NotFound` …).
 */
export interface ObjectWriter {
  create(resource: GroupResource, object: ApiObject, as?: WriteAs): Promise<ApiObject>;
  update(resource: GroupResource, object: ApiObject, subresource?: string, as?: WriteAs): Promise<WrittenObject>;
  delete(resource: GroupResource, namespace: string, name: string, options?: DeleteRequest): Promise<void>;
}

/** Updates objects of storage versions as they are stored, which takes one read less than `get` and `update`. */
export interface ObjectChanger {
  /** `change` makes the new object of the current one, which it must not change, and again if another write comes first. */
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
