import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { kind, type ListMap, type OmitZero, type Open, type PatchMerge } from "../../vocabulary.ts";
import type { ConditionStatus } from "./conditions.ts";

export interface ComponentStatus extends ClusterScoped {
  conditions?: ListMap<ComponentCondition, "type"> & PatchMerge<"type">;
}

export interface ComponentCondition {
  type: ComponentConditionType;
  status: ConditionStatus;
  message?: string & OmitZero;
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
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Status", type: "string" },
    { name: "Message", type: "string" },
    { name: "Error", type: "string" },
  ],
});
