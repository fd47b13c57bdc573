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

/** Facts every object has. */
export interface ObjectMeta {
  /** Name of the object, unique among its kind in its namespace; fixed for good. */
  name?: string & OmitZero;
  /** Start of a name that the server completes, when no name is given. */
  generateName?: string & OmitZero;
  /** Namespace the object lives in; fixed for good. */
  namespace?: string & OmitZero;
  /** No longer filled in. */
  selfLink?: string & OmitZero & Deprecated;
  /** Id that no other object has or ever will have. */
  uid?: string & OmitZero;
  /** Changes with every write; send it back to write only if nobody else did. */
  resourceVersion?: string & OmitZero;
  /** Counts the changes of what is asked for. */
  generation?: Int64 & OmitZero;
  /** When the object was created. */
  creationTimestamp?: Time & Always;
  /** When the object is, or was, to be gone; set by a request to delete it. */
  deletionTimestamp?: Time;
  /** Seconds the object is given to end by itself. */
  deletionGracePeriodSeconds?: Int64;
  /** Short marks to group and select objects by. */
  labels?: Record<string, string>;
  /** Notes of any length, not used for selecting. */
  annotations?: Record<string, string>;
  /** Objects this one belongs to; it goes when all of them are gone. */
  ownerReferences?: ListMap<OwnerReference, "uid"> & PatchMerge<"uid">;
  /** Who must clean up before the object can be gone. */
  finalizers?: ListSet<string> & PatchMerge;
  /** Who set which fields. */
  managedFields?: ListAtomic<ManagedFieldsEntry>;
}

/** An object that owns this one. */
export interface OwnerReference extends AtomicStruct {
  /** Group and version of the owner. */
  apiVersion: string;
  /** Kind of the owner. */
  kind: string;
  /** Name of the owner. */
  name: string;
  /** Uid of the owner. */
  uid: string;
  /** Whether the owner is the one that controls this object. */
  controller?: boolean;
  /** Whether the owner waits for this object when it is deleted in the foreground. */
  blockOwnerDeletion?: boolean;
}

/** Fields that one manager set. */
export interface ManagedFieldsEntry {
  /** Who it is. */
  manager?: string & OmitZero;
  /** Whether the fields came by apply or by another write. */
  operation?: ManagedFieldsOperationType & OmitZero;
  /** Version in which the fields are named. */
  apiVersion?: string & OmitZero;
  /** When the entry last changed. */
  time?: Time;
  /** How the fields are written; always `FieldsV1`. */
  fieldsType?: string & OmitZero;
  /** The fields. */
  fieldsV1?: FieldsV1;
  /** The subresource the write went through. */
  subresource?: string & OmitZero;
}

export type ManagedFieldsOperationType = Open<"Apply" | "Update">;
