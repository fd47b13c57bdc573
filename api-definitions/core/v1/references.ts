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

/** A reference to an object in serialized form, such as in an annotation. */
export interface SerializedReference extends TypeMeta {
  /** Object that is referred to. */
  reference?: ObjectReference & Always;
}

/**
 * Refers to any object, or to a part of one. Which fields are used depends on where it stands; new kinds should use a
 * more specific type.
 */
export interface ObjectReference extends AtomicStruct {
  /** Kind of the object, such as `Pod`. */
  kind?: string & OmitZero;
  /** Namespace of the object. Empty for cluster-scoped objects. */
  namespace?: string & OmitZero;
  /** Name of the object, such as `web-0`. */
  name?: string & OmitZero;
  /** UID of the object, which tells it from later objects of the same name. */
  uid?: string & OmitZero;
  /** Group and version of the object, such as `apps/v1`. */
  apiVersion?: string & OmitZero;
  /** Resource version of the object at the time of the reference. */
  resourceVersion?: string & OmitZero;
  /**
   * Part of the object that is meant, such as `spec.containers{web}` for the container `web` of a Pod. Empty for the
   * whole object.
   */
  fieldPath?: string & OmitZero;
}

/** Refers to an object in the same namespace by its name. Its kind follows from the field that has the reference. */
export interface LocalObjectReference extends AtomicStruct {
  /** Name of the object. Must not be empty in most fields; where it may be, an empty name refers to no object. */
  name?: string & OmitZero & Default<""> & Published;
}

/** Refers to a Secret in any namespace. */
export interface SecretReference extends AtomicStruct {
  /** Name of the Secret. */
  name?: string & OmitZero;
  /** Namespace of the Secret. */
  namespace?: string & OmitZero;
}

/** Refers to an object of any kind in the same namespace. */
export interface TypedLocalObjectReference extends AtomicStruct {
  /** API group of the object. Unset means the core group. */
  apiGroup?: string & Nullable;
  /** Kind of the object, such as `VolumeSnapshot`. */
  kind: string;
  /** Name of the object in the same namespace. */
  name: string;
}

/** Refers to an object of any kind, possibly in another namespace. */
export interface TypedObjectReference {
  /** API group of the object. Unset means the core group. */
  apiGroup?: string & Nullable;
  /** Kind of the object, such as `VolumeSnapshot`. */
  kind: string;
  /** Name of the object that is referred to. */
  name: string;
  /**
   * Namespace of the object. Unset means the same namespace. A reference to another namespace must be permitted there
   * by a ReferenceGrant, and requires the feature gate `CrossNamespaceVolumeDataSource`.
   */
  namespace?: string;
}

export const serializedReference = kind<SerializedReference>({ unserved: true, introduced: "1.0" });
