import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { kind, type ListMap, type OmitZero, type Open, type PatchMerge } from "../../vocabulary.ts";
import type { ConditionStatus } from "./conditions.ts";

/** Whether a component of the control plane is healthy. */
export interface ComponentStatus extends ClusterScoped {
  /** What was found when it was last looked at. */
  conditions?: ListMap<ComponentCondition, "type"> & PatchMerge<"type">;
}

/** One finding about a component. */
export interface ComponentCondition {
  /** What was looked at. */
  type: ComponentConditionType;
  /** Whether it holds. */
  status: ConditionStatus;
  /** What was found. */
  message?: string & OmitZero;
  /** The error code of a failed check. */
  error?: string & OmitZero;
}

export type ComponentConditionType = Open<"Healthy">;

export const componentStatus = kind<ComponentStatus>({
  plural: "componentstatuses",
  shortNames: ["cs"],
  virtual: true,
  verbs: ["get", "list"],
  introduced: "1.0",
  deprecated: "1.19",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Status", type: "string", description: "State in one word." },
    { name: "Message", type: "string", description: "What happened, for people." },
    { name: "Error", type: "string", description: "Why a check failed." },
  ],
});
