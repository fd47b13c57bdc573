import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  kind,
  type ListAtomic,
  type ListMap,
  type OmitZero,
  type Open,
  type PatchMerge,
  type Since,
  type Time,
} from "../../vocabulary.ts";
import type { ConditionStatus } from "./conditions.ts";

/**
 * A scope for names and policies: objects in different namespaces may have the same name, and access, quotas and
 * defaults are set per namespace. Deleting it deletes everything in it. The server labels it with its name, as
 * `kubernetes.io/metadata.name`.
 */
export interface Namespace extends ClusterScoped {
  /** Desired state of the Namespace. */
  spec?: NamespaceSpec & Always;
  /**
   * Observed state of the Namespace, set by the server and the namespace controller: its phase and what delays its
   * deletion.
   */
  status?: NamespaceStatus & Always;
}

/** Desired state of a Namespace. */
export interface NamespaceSpec {
  /**
   * Finalizers that must be removed before a deleted namespace goes away. The server adds `kubernetes`, which the
   * namespace controller removes once the namespace is empty. After creation it changes through the subresource
   * `finalize` only; others should use `metadata.finalizers`.
   */
  finalizers?: ListAtomic<FinalizerName>;
}

export type FinalizerName = Open<
  /** The namespace controller has not deleted the content of the namespace yet. */
  "kubernetes"
>;

/** Observed state of a Namespace. */
export interface NamespaceStatus {
  /** Phase of the namespace in its lifecycle. `Active` until it is deleted, `Terminating` from then on. */
  phase?: NamespacePhase & OmitZero & Default<"Active">;
  /**
   * Observed conditions of the deletion, set by the namespace controller. They tell why a namespace stays in phase
   * `Terminating`.
   */
  conditions?: ListMap<NamespaceCondition, "type"> & PatchMerge<"type"> & Since<"1.16">;
}

export type NamespacePhase =
  /** The namespace is in use. */
  | "Active"
  /** The namespace is being deleted: its content is removed, and nothing can be created in it. */
  | "Terminating";

/** One aspect of the deletion of a namespace. */
export interface NamespaceCondition {
  /** Type of the condition, such as `NamespaceContentRemaining`. */
  type: NamespaceConditionType;
  /** Status of the condition: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** Time at which `status` last changed. */
  lastTransitionTime?: Time & Always;
  /** Machine-readable reason of the last transition, in CamelCase. */
  reason?: string & OmitZero;
  /** Human-readable details of the last transition. */
  message?: string & OmitZero;
}

export type NamespaceConditionType = Open<
  /** Some resources could not be discovered, for example because an aggregated API is not available. */
  | "NamespaceDeletionDiscoveryFailure"
  /** Some objects could not be deleted. */
  | "NamespaceDeletionContentFailure"
  /** The group and version of some resources could not be parsed. */
  | "NamespaceDeletionGroupVersionParsingFailure"
  /** Some objects have not gone away yet. */
  | "NamespaceContentRemaining"
  /** Some objects wait for the removal of their finalizers. */
  | "NamespaceFinalizersRemaining"
>;

export const namespace = kind<Namespace>({
  plural: "namespaces",
  generation: false,
  shortNames: ["ns"],
  verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
  introduced: "1.0",
  subresources: { finalize: { kind: "Namespace", verbs: ["update"] }, status: true },
  selectableFields: ["status.phase"],
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    {
      name: "Status",
      type: "string",
      path: ".status.phase",
      description: "Whether the namespace is active or being deleted.",
    },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
