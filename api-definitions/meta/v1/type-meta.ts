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

export interface ListMeta {
  selfLink?: string & OmitZero & Deprecated;
  resourceVersion?: string & OmitZero;
  continue?: string & OmitZero;
  remainingItemCount?: Int64;
}

export interface TypeMeta {
  kind?: string & OmitZero;
  apiVersion?: string & OmitZero;
}
