import type { scope } from "../../marker-vocabulary.ts";
import type { Always, Deprecated, Int64, OmitZero } from "../../vocabulary.ts";
import type { ObjectMeta } from "./object-meta.ts";

/** Fields of every namespaced object. A kind whose interface extends this is namespaced. */
export interface Namespaced extends TypeMeta {
  /** Standard object's metadata: name, namespace, labels, annotations, owners and what the server records about the object. */
  metadata?: ObjectMeta & Always;
}

/** Fields of every cluster-scoped object. A kind whose interface extends this is cluster-scoped. */
export interface ClusterScoped extends TypeMeta {
  readonly [scope]?: "Cluster";
  /** Standard object's metadata: name, namespace, labels, annotations, owners and what the server records about the object. */
  metadata?: ObjectMeta & Always;
}

/** A list of objects of one kind, as returned by list requests. */
export interface ListOf<Item> extends TypeMeta {
  /** Standard list metadata: the resource version of the list and the token for its next page. */
  metadata?: ListMeta & Always;
  /** Objects of the list, sorted by namespace and name. */
  items: Item[];
}

/** Metadata of a list: the resource version it represents and how to request its next page. */
export interface ListMeta {
  /** Path of the list. Always empty: the server no longer sets it. */
  selfLink?: string & OmitZero & Deprecated;
  /** Resource version of the whole list. A watch that starts from it receives every later change. Clients must treat it as opaque. */
  resourceVersion?: string & OmitZero;
  /** Token for the `continue` parameter of the request for the next page. Empty on the last page. Clients must treat it as opaque; it expires after a few minutes. */
  continue?: string & OmitZero;
  /** Approximate number of objects after this page. Unset if the request has a label or field selector, or if this is the last page. */
  remainingItemCount?: Int64;
}

/** Identifies the kind and API version of an object. */
export interface TypeMeta {
  /** Kind is a string value that names the type of this object in CamelCase, such as `Pod`. The server can infer it from the request path. Cannot be updated. */
  kind?: string & OmitZero;
  /** APIVersion defines the group and version of the schema of this object, such as `apps/v1`, or `v1` for the core group. The server converts between the versions it serves and rejects unknown ones. */
  apiVersion?: string & OmitZero;
}
