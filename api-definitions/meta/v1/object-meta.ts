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

export interface ObjectMeta {
  name?: string & OmitZero;
  generateName?: string & OmitZero;
  namespace?: string & OmitZero;
  selfLink?: string & OmitZero & Deprecated;
  uid?: string & OmitZero;
  resourceVersion?: string & OmitZero;
  generation?: Int64 & OmitZero;
  creationTimestamp?: Time & Always;
  deletionTimestamp?: Time;
  deletionGracePeriodSeconds?: Int64;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: ListMap<OwnerReference, "uid"> & PatchMerge<"uid">;
  finalizers?: ListSet<string> & PatchMerge;
  managedFields?: ListAtomic<ManagedFieldsEntry>;
}

export interface OwnerReference extends AtomicStruct {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  manager?: string & OmitZero;
  operation?: ManagedFieldsOperationType & OmitZero;
  apiVersion?: string & OmitZero;
  time?: Time;
  fieldsType?: string & OmitZero;
  fieldsV1?: FieldsV1;
  subresource?: string & OmitZero;
}

export type ManagedFieldsOperationType = Open<"Apply" | "Update">;
