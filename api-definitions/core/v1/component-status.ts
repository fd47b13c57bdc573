import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { kind, type ListMap, type OmitZero, type Open, type PatchMerge } from "../../vocabulary.ts";
import type { ConditionStatus } from "./conditions.ts";

/**
 * Health of a component of the control plane, which the server checks on every read. Deprecated and not reliable: the
 * server can check only components on its own machine. Use the health endpoints of the components instead.
 */
export interface ComponentStatus extends ClusterScoped {
  /** Observed conditions of the component: whether it is healthy. */
  conditions?: ListMap<ComponentCondition, "type"> & PatchMerge<"type">;
}

/** Result of a component's health check. */
export interface ComponentCondition {
  /** Type of the condition. Always `Healthy`. */
  type: ComponentConditionType;
  /** Status of the condition: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** Response of the component to the health check, such as `ok`. */
  message?: string & OmitZero;
  /** Error that occurred during the health check. Empty if there was none. */
  error?: string & OmitZero;
}

export type ComponentConditionType = Open<
  /** The component responds to its health check without error. */
  "Healthy"
>;

export const componentStatus = kind<ComponentStatus>({
  plural: "componentstatuses",
  shortNames: ["cs"],
  virtual: true,
  verbs: ["get", "list"],
  introduced: "1.0",
  deprecated: "1.19",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Status", type: "string", description: "Whether the component is healthy." },
    { name: "Message", type: "string", description: "Response of the component to the health check." },
    { name: "Error", type: "string", description: "Error of the health check, if it failed." },
  ],
});
