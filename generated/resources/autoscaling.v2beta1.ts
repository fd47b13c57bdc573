// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { horizontalPodAutoscaler as defineHorizontalPodAutoscaler, type HorizontalPodAutoscaler } from "../../api-definitions/autoscaling/v2beta1/horizontal-pod-autoscaler.ts";

/** Scales a workload automatically: it changes the number of pods of a Deployment, a StatefulSet or any other kind with the subresource `scale` so that metrics such as CPU utilization stay near their targets. Resource metrics need a metrics server in the cluster. */
export const horizontalpodautoscalers = resourceToken<HorizontalPodAutoscaler>({
  group: "autoscaling",
  version: "v2beta1",
  kind: "HorizontalPodAutoscaler",
  resource: "horizontalpodautoscalers",
  namespaced: true,
}, defineHorizontalPodAutoscaler);
