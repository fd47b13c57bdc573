// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { flowSchema as defineFlowSchema, type FlowSchema } from "../../api-definitions/flowcontrol/v1beta1/flow-schema.ts";
import { priorityLevelConfiguration as definePriorityLevelConfiguration, type PriorityLevelConfiguration } from "../../api-definitions/flowcontrol/v1beta1/priority-level-configuration.ts";

/** Assigns requests to a priority level and divides them into flows, so that the API server can treat clients fairly. Of all flow schemas that match a request, the one with the lowest `matchingPrecedence` applies. */
export const flowschemas = resourceToken<FlowSchema>({
  group: "flowcontrol.apiserver.k8s.io",
  version: "v1beta1",
  kind: "FlowSchema",
  resource: "flowschemas",
  namespaced: false,
}, defineFlowSchema);

/** A priority level: how many requests the API server processes for it at the same time, and whether further requests wait or are rejected. Flow schemas assign requests to priority levels. */
export const prioritylevelconfigurations = resourceToken<PriorityLevelConfiguration>({
  group: "flowcontrol.apiserver.k8s.io",
  version: "v1beta1",
  kind: "PriorityLevelConfiguration",
  resource: "prioritylevelconfigurations",
  namespaced: false,
}, definePriorityLevelConfiguration);
