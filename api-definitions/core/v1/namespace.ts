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
  type Time,
} from "../../vocabulary.ts";
import type { ConditionStatus } from "./conditions.ts";

/** A space for names: objects in different namespaces may have the same name, and are kept and ruled apart. */
export interface Namespace extends ClusterScoped {
  /** What is asked for. */
  spec?: NamespaceSpec & Always;
  /** What is the case, as last seen. */
  status?: NamespaceStatus & Always;
}

/** What keeps a namespace from going away. */
export interface NamespaceSpec {
  /** Who must clean up before it can be gone. */
  finalizers?: ListAtomic<FinalizerName>;
}

export type FinalizerName = Open<"kubernetes">;

/** Where a namespace is in its life. */
export interface NamespaceStatus {
  /** `Active`, or `Terminating` once it is being deleted. */
  phase?: NamespacePhase & OmitZero & Default<"Active">;
  /** What holds up its deletion. */
  conditions?: ListMap<NamespaceCondition, "type"> & PatchMerge<"type">;
}

export type NamespacePhase = "Active" | "Terminating";

/** One finding about an object. */
export interface NamespaceCondition {
  /** What the finding is about. */
  type: NamespaceConditionType;
  /** Whether it holds: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** When the status last changed. */
  lastTransitionTime?: Time & Always;
  /** A word for the cause. */
  reason?: string & OmitZero;
  /** The cause, for people. */
  message?: string & OmitZero;
}

export type NamespaceConditionType = Open<
  | "NamespaceDeletionDiscoveryFailure"
  | "NamespaceDeletionContentFailure"
  | "NamespaceDeletionGroupVersionParsingFailure"
  | "NamespaceContentRemaining"
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
    { name: "Status", type: "string", path: ".status.phase", description: "State in one word." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
