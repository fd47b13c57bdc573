import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { defaultAutoscaler } from "./autoscaler-defaults.ts";
import type { HorizontalPodAutoscaler } from "./horizontal-pod-autoscaler.ts";
import { metricsText } from "./metrics-text.ts";

export const hooks = hooksFor<HorizontalPodAutoscaler>({
  defaults: defaultAutoscaler,
  cells: ({ spec, status }) => ({
    Reference: `${spec?.scaleTargetRef?.kind ?? ""}/${spec?.scaleTargetRef?.name ?? ""}`,
    Targets: metricsText(spec?.metrics, status?.currentMetrics),
    MinPods: spec?.minReplicas === undefined ? "<unset>" : String(spec.minReplicas),
    MaxPods: spec?.maxReplicas ?? 0,
    Replicas: status?.currentReplicas ?? 0,
  }),
});
