import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type AtomicStruct,
  type Default,
  type Gated,
  kind,
  type Nullable,
  type OmitZero,
  type Published,
} from "../../vocabulary.ts";

export interface SerializedReference extends TypeMeta {
  reference?: ObjectReference & Always;
}

export interface ObjectReference extends AtomicStruct {
  kind?: string & OmitZero;
  namespace?: string & OmitZero;
  name?: string & OmitZero;
  uid?: string & OmitZero;
  apiVersion?: string & OmitZero;
  resourceVersion?: string & OmitZero;
  fieldPath?: string & OmitZero;
}

export interface LocalObjectReference extends AtomicStruct {
  name?: string & OmitZero & Default<""> & Published;
}

export interface SecretReference extends AtomicStruct {
  name?: string & OmitZero;
  namespace?: string & OmitZero;
}

export interface TypedLocalObjectReference extends AtomicStruct {
  apiGroup?: string & Nullable;
  kind: string;
  name: string;
}

export interface TypedObjectReference {
  apiGroup?: string & Nullable;
  kind: string;
  name: string;
  namespace?: string & Gated<"CrossNamespaceVolumeDataSource">;
}

export const serializedReference = kind<SerializedReference>({ unserved: true, introduced: "1.0" });
