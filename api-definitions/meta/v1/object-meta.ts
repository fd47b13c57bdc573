import type {
  Always,
  AtomicStruct,
  Deprecated,
  FieldsV1,
  Int64,
  ListAtomic,
  ListMap,
  ListSet,
  OmitZero,
  Open,
  PatchMerge,
  Time,
} from "../../vocabulary.ts";

/**
 * Metadata that every object has: its identity, labels, annotations and owners, and what the server records about it.
 */
export interface ObjectMeta {
  /**
   * Name of the object, unique among the objects of its resource in its namespace, or in the cluster if the resource is
   * cluster-scoped. Required on creation unless `generateName` is set. Most kinds require a DNS subdomain of at most
   * 253 characters. Cannot be changed after creation.
   */
  name?: string & OmitZero;
  /**
   * Prefix from which the server generates `name` on creation if `name` is empty: it shortens the prefix to 58
   * characters and appends five random characters. If the generated name is taken, the server tries another one a few
   * times and then returns `409 AlreadyExists`. Has no effect if `name` is set.
   */
  generateName?: string & OmitZero;
  /**
   * Namespace of the object. Taken from the request path if empty; must match it otherwise. Must be a DNS label for
   * namespaced kinds and empty for cluster-scoped kinds. Cannot be changed after creation.
   */
  namespace?: string & OmitZero;
  /** Path of the object. Always empty: the server no longer sets it. */
  selfLink?: string & OmitZero & Deprecated;
  /**
   * Unique identifier of the object, set by the server on creation. Never reused, so it distinguishes an object from a
   * later one of the same name. Cannot be changed; a value in an update must match.
   */
  uid?: string & OmitZero;
  /**
   * Version of the stored object, changed by the server on every write. An update that contains it fails with `409
   * Conflict` if the object has changed in the meantime; some kinds require it in updates. It is also the starting
   * point of a watch. Clients must treat it as opaque.
   */
  resourceVersion?: string & OmitZero;
  /**
   * Sequence number of the desired state, set by the server: 1 on creation, increased by every change of the desired
   * state but not of `status`. Controllers report the last one they processed as `observedGeneration`. Unset for kinds
   * without a generation.
   */
  generation?: Int64 & OmitZero;
  /**
   * CreationTimestamp is a timestamp that records when the server created the object, in UTC with second precision. Set
   * by the server. Cannot be changed.
   */
  creationTimestamp?: Time & Always;
  /**
   * Time at which the object is to be removed, set by the server when a graceful deletion is requested or finalizers
   * are pending. Unset if the object is not being deleted. After that time the object is removed once `finalizers` is
   * empty. Cannot be unset by clients; another delete request may only make it earlier.
   */
  deletionTimestamp?: Time;
  /**
   * Number of seconds between the delete request and `deletionTimestamp`, set by the server together with it. Another
   * delete request may only shorten it.
   */
  deletionGracePeriodSeconds?: Int64;
  /**
   * Key-value pairs that identify and group objects; label selectors select objects by them. Keys are qualified names;
   * values have at most 63 characters: letters, digits, `-`, `_` and `.`, beginning and ending with a letter or digit,
   * or are empty.
   */
  labels?: Record<string, string>;
  /**
   * Key-value pairs with arbitrary data for tools and controllers; objects cannot be selected by them. Keys are
   * qualified names, values may be any string. Keys and values together may have at most 256 KiB.
   */
  annotations?: Record<string, string>;
  /**
   * Objects on which this object depends. The garbage collector deletes the object when all its owners are deleted.
   * Owners must be in the same namespace or cluster-scoped; a cluster-scoped object can only have cluster-scoped
   * owners. At most one entry may have `controller` set to `true`.
   */
  ownerReferences?: ListMap<OwnerReference, "uid"> & PatchMerge<"uid">;
  /**
   * Names of the finalizers that must complete before the object is removed, such as `kubernetes.io/pvc-protection`.
   * Each component removes its own entry when its cleanup is done, in any order. While the object is being deleted,
   * entries can be removed but not added.
   */
  finalizers?: ListSet<string> & PatchMerge;
  /**
   * Fields of the object by the manager that last set them, maintained by the server for server-side apply. Clients
   * usually leave it alone; an update with a single empty entry resets it.
   */
  managedFields?: ListAtomic<ManagedFieldsEntry>;
}

/** Refers to an object that owns this one. The owner must be in the same namespace or cluster-scoped. */
export interface OwnerReference extends AtomicStruct {
  /** API version of the owner, such as `apps/v1`. */
  apiVersion: string;
  /** Kind of the owner, such as `ReplicaSet`. Core `Event` objects cannot be owners. */
  kind: string;
  /** Name of the owner. Must not be empty. */
  name: string;
  /** UID of the owner. An object of the same name with another UID is not the owner. */
  uid: string;
  /** Whether the owner is the controller that manages this object. At most one owner may be the controller. */
  controller?: boolean;
  /**
   * Whether a foreground deletion of the owner waits until this object is removed. If the admission plugin
   * `OwnerReferencesPermissionEnforcement` is enabled, setting it requires permission to update the finalizers of the
   * owner. Unset means `false`.
   */
  blockOwnerDeletion?: boolean;
}

/**
 * Fields that one manager last set with one operation, in one API version and through one subresource. Maintained by
 * the server.
 */
export interface ManagedFieldsEntry {
  /**
   * Name of the manager, taken from the `fieldManager` parameter of the write or, if that is empty, from the user
   * agent. At most 128 bytes long.
   */
  manager?: string & OmitZero;
  /** Kind of write through which the manager owns the fields. */
  operation?: ManagedFieldsOperationType & OmitZero;
  /** API version in which `fieldsV1` names the fields, such as `apps/v1`. */
  apiVersion?: string & OmitZero;
  /**
   * Time at which the manager last added, changed or removed a field of this entry. Fields that other managers take
   * over do not change it.
   */
  time?: Time;
  /** Format of `fieldsV1`. Always `FieldsV1`. */
  fieldsType?: string & OmitZero;
  /**
   * Set of the owned fields as nested maps. Keys have the form `f:<field>` for a field, `k:<keys>` for an entry of a
   * keyed list, `v:<value>` for a value of a set; `.` stands for the element itself.
   */
  fieldsV1?: FieldsV1;
  /** Subresource through which the fields were written, such as `status`. Empty for writes of the object itself. */
  subresource?: string & OmitZero;
}

export type ManagedFieldsOperationType = Open<
  /** The manager declared the fields with server-side apply. */
  | "Apply"
  /** The manager set the fields with a create, update or patch request. */
  | "Update"
>;
