// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { horizontalPodAutoscaler as defineHorizontalPodAutoscaler, type HorizontalPodAutoscaler } from "../../api-definitions/autoscaling/v1/horizontal-pod-autoscaler.ts";

/** Scales a workload automatically: it changes the number of pods of a Deployment, a StatefulSet or any other kind with the subresource `scale` so that their CPU utilization stays near a target. Needs a metrics server in the cluster. Use autoscaling/v2 for other metrics; this version has them in annotations. */
export const horizontalpodautoscalers = resourceToken<HorizontalPodAutoscaler>({
  group: "autoscaling",
  version: "v1",
  kind: "HorizontalPodAutoscaler",
  resource: "horizontalpodautoscalers",
  namespaced: true,
}, defineHorizontalPodAutoscaler);
