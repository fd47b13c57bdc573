import { type Deprecated, type Int64, kind, type ListAtomic, type Open } from "../../vocabulary.ts";
import type { TypeMeta } from "./type-meta.ts";

/** Options of a delete request, sent in its body or as query parameters. All are optional. */
export interface DeleteOptions extends TypeMeta {
  /**
   * Number of seconds in which the object may shut down before it is removed. 0 removes it immediately. If unset, the
   * default of the kind applies, for pods `terminationGracePeriodSeconds`. Kinds without graceful deletion ignore it.
   */
  gracePeriodSeconds?: Int64;
  /**
   * Conditions that the object must meet. If they are not met, the server returns `409 Conflict` and deletes nothing.
   */
  preconditions?: Preconditions;
  /**
   * `true` deletes the object and leaves its dependents, `false` deletes its dependents in the background. Must not be
   * combined with `propagationPolicy`.
   */
  orphanDependents?: boolean & Deprecated<"use `propagationPolicy` instead">;
  /**
   * What happens to dependents, which are the objects whose `ownerReferences` name this object. If unset, the default
   * of the kind applies, which is `Background` for most kinds, unless the object already has a finalizer that selects
   * another policy. Must not be combined with `orphanDependents`.
   */
  propagationPolicy?: DeletionPropagation;
  /**
   * `All` runs all steps of the request including admission and validation, but deletes nothing. No other value is
   * allowed. If empty, the object is deleted.
   */
  dryRun?: ListAtomic<string>;
  /**
   * `true` removes an object that cannot be read from the store, for example because it cannot be decrypted.
   * Finalizers, preconditions and grace periods are not considered, so the cluster may be left inconsistent. Requires
   * permission for the verb `unsafe-delete-ignore-read-errors` and must not be combined with other options. Ignored
   * unless the feature gate `AllowUnsafeMalformedObjectDeletion` is on, which is off by default.
   */
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

export type DeletionPropagation = Open<
  /** Deletes the object only; references to it are removed from its dependents. */
  | "Orphan"
  /** Deletes the object immediately; the garbage collector deletes its dependents afterwards. */
  | "Background"
  /**
   * Marks the object for deletion, deletes its dependents first and removes the object when all dependents that block
   * it are gone.
   */
  | "Foreground"
>;

/**
 * Properties that an object must have for a delete request to succeed. Use it to avoid deleting an object that was
 * recreated or changed in the meantime.
 */
export interface Preconditions {
  /** Required `metadata.uid` of the object. If unset, the UID is not checked. */
  uid?: string;
  /** Required `metadata.resourceVersion` of the object. If unset, the resource version is not checked. */
  resourceVersion?: string;
}

export const deleteOptions = kind<DeleteOptions>({ unserved: true });
