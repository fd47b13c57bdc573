import type { Always, Deprecated, Int64, OmitZero } from "../../vocabulary.ts";
import type { ObjectMeta } from "./object-meta.ts";

/** An object that lives in a namespace: a kind whose interface extends this is namespaced. */
export interface Namespaced extends TypeMeta {
  /** Name, labels and other facts every object has. */
  metadata?: ObjectMeta & Always;
}

/** An object that belongs to the cluster as a whole. */
export interface ClusterScoped extends TypeMeta {
  /** Name, labels and other facts every object has. */
  metadata?: ObjectMeta & Always;
}

/** Many objects of one kind, as answers to list requests carry them. */
export interface ListOf<Item> extends TypeMeta {
  /** Where the list stands in time, and how to read on. */
  metadata?: ListMeta & Always;
  /** The objects. */
  items: Item[];
}

/** What is known of a list as a whole. */
export interface ListMeta {
  /** No longer filled in. */
  selfLink?: string & OmitZero & Deprecated;
  /** The moment the list shows; a watch can go on from here. */
  resourceVersion?: string & OmitZero;
  /** Token that fetches the next part of the list. */
  continue?: string & OmitZero;
  /** About how many objects are left after this part. */
  remainingItemCount?: Int64;
}

/** Says what an object is. */
export interface TypeMeta {
  /** The kind, such as `Pod`. */
  kind?: string & OmitZero;
  /** Group and version, such as `apps/v1`. */
  apiVersion?: string & OmitZero;
}
