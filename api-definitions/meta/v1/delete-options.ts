import { type Deprecated, type Int64, kind, type ListAtomic, type Open } from "../../vocabulary.ts";
import type { TypeMeta } from "./type-meta.ts";

/** Options of a delete request. */
export interface DeleteOptions extends TypeMeta {
  /** Seconds the object is given to end by itself; 0 means at once. */
  gracePeriodSeconds?: Int64;
  /** What must still be true of the object. */
  preconditions?: Preconditions;
  /** Old way to say what becomes of objects that belong to this one. */
  orphanDependents?: boolean & Deprecated;
  /** What becomes of objects that belong to this one, and when. */
  propagationPolicy?: DeletionPropagation;
  /** `All` goes through all steps and deletes nothing. */
  dryRun?: ListAtomic<string>;
  /** Deletes even what cannot be read from the store; may break the cluster. */
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

export type DeletionPropagation = Open<"Orphan" | "Background" | "Foreground">;

/** What must still be true of an object for a change to go ahead. */
export interface Preconditions {
  /** The object's uid. */
  uid?: string;
  /** The object's version. */
  resourceVersion?: string;
}

export const deleteOptions = kind<DeleteOptions>({ unserved: true });
