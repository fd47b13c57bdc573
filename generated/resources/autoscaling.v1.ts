// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { HorizontalPodAutoscaler } from "../../api-definitions/autoscaling/v1/horizontal-pod-autoscaler.ts";

/** Adds and removes pods as the load changes. */
export const horizontalpodautoscalers = resourceToken<HorizontalPodAutoscaler>({
  group: "autoscaling",
  version: "v1",
  kind: "HorizontalPodAutoscaler",
  resource: "horizontalpodautoscalers",
  namespaced: true,
});
