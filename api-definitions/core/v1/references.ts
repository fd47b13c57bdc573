import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type AtomicStruct,
  type Default,
  kind,
  type Nullable,
  type OmitZero,
  type Published,
} from "../../vocabulary.ts";

/** A reference to an object, written down in an annotation. */
export interface SerializedReference extends TypeMeta {
  /** The object. */
  reference?: ObjectReference & Always;
}

/** Points at an object, or a part of one. */
export interface ObjectReference extends AtomicStruct {
  /** Kind of the object. */
  kind?: string & OmitZero;
  /** Its namespace. */
  namespace?: string & OmitZero;
  /** Its name. */
  name?: string & OmitZero;
  /** Its uid. */
  uid?: string & OmitZero;
  /** Group and version of the kind. */
  apiVersion?: string & OmitZero;
  /** The version meant. */
  resourceVersion?: string & OmitZero;
  /** The part meant, such as `spec.containers{web}`. */
  fieldPath?: string & OmitZero;
}

/** An object of the same namespace. */
export interface LocalObjectReference extends AtomicStruct {
  /** Its name. */
  name?: string & OmitZero & Default<""> & Published;
}

/** A Secret of any namespace. */
export interface SecretReference extends AtomicStruct {
  /** Its name. */
  name?: string & OmitZero;
  /** Its namespace. */
  namespace?: string & OmitZero;
}

/** An object of the same namespace, with its kind. */
export interface TypedLocalObjectReference extends AtomicStruct {
  /** Group of the kind. */
  apiGroup?: string & Nullable;
  /** Kind of the object. */
  kind: string;
  /** Its name. */
  name: string;
}

/** An object with its kind, in another namespace too. */
export interface TypedObjectReference {
  /** Group of the kind. */
  apiGroup?: string & Nullable;
  /** Kind of the object. */
  kind: string;
  /** Its name. */
  name: string;
  /** Its namespace. */
  namespace?: string;
}

export const serializedReference = kind<SerializedReference>({ unserved: true, introduced: "1.0" });
