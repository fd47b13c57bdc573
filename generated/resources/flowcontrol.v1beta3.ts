// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { FlowSchema } from "../../api-definitions/flowcontrol/v1beta3/flow-schema.ts";
import type { PriorityLevelConfiguration } from "../../api-definitions/flowcontrol/v1beta3/priority-level-configuration.ts";

/** Sorts requests into priority levels. */
export const flowschemas = resourceToken<FlowSchema>({
  group: "flowcontrol.apiserver.k8s.io",
  version: "v1beta3",
  kind: "FlowSchema",
  resource: "flowschemas",
  namespaced: false,
});

/** How many requests of a priority level run at once, and how long others wait. */
export const prioritylevelconfigurations = resourceToken<PriorityLevelConfiguration>({
  group: "flowcontrol.apiserver.k8s.io",
  version: "v1beta3",
  kind: "PriorityLevelConfiguration",
  resource: "prioritylevelconfigurations",
  namespaced: false,
});
