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

export interface Namespace extends ClusterScoped {
  spec?: NamespaceSpec & Always;
  status?: NamespaceStatus & Always;
}

export interface NamespaceSpec {
  finalizers?: ListAtomic<FinalizerName>;
}

export type FinalizerName = Open<"kubernetes">;

export interface NamespaceStatus {
  phase?: NamespacePhase & OmitZero & Default<"Active">;
  conditions?: ListMap<NamespaceCondition, "type"> & PatchMerge<"type">;
}

export type NamespacePhase = "Active" | "Terminating";

export interface NamespaceCondition {
  type: NamespaceConditionType;
  status: ConditionStatus;
  lastTransitionTime?: Time & Always;
  reason?: string & OmitZero;
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
  shortNames: ["ns"],
  verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
  introduced: "1.0",
  subresources: { finalize: { kind: "Namespace", verbs: ["update"] }, status: true },
  selectableFields: ["status.phase"],
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Status", type: "string", path: ".status.phase" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
