// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { PriorityClass } from "../../api-definitions/scheduling/v1beta1/priority-class.ts";

/** A name for a priority of pods. */
export const priorityclasses = resourceToken<PriorityClass>({
  group: "scheduling.k8s.io",
  version: "v1beta1",
  kind: "PriorityClass",
  resource: "priorityclasses",
  namespaced: false,
});
