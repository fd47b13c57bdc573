// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { priorityClass as definePriorityClass, type PriorityClass } from "../../api-definitions/scheduling/v1/priority-class.ts";

/** A named priority for pods. Pods of higher priority are scheduled first and can preempt pods of lower priority. Pods name the class in `priorityClassName`; later changes to the class do not affect existing pods. */
export const priorityclasses = resourceToken<PriorityClass>({
  group: "scheduling.k8s.io",
  version: "v1",
  kind: "PriorityClass",
  resource: "priorityclasses",
  namespaced: false,
}, definePriorityClass);
