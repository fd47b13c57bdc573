import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { validateNonNegative } from "../../core/v1/validation/basics.ts";
import { withoutCarried } from "../carried-annotations.ts";
import { defaultAutoscaler } from "./autoscaler-defaults.ts";
import { validateAutoscalerSpec } from "./autoscaler-validation.ts";
import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerSpec } from "./horizontal-pod-autoscaler.ts";
import { metricsText } from "./metrics-text.ts";

const NO_SPEC = {} as HorizontalPodAutoscalerSpec;

export const hooks = kindHooks<HorizontalPodAutoscaler>({
  default: (autoscaler) => {
    const metadata = withoutCarried(autoscaler.metadata);
    if (metadata !== undefined) autoscaler.metadata = metadata;
    defaultAutoscaler(autoscaler);
  },
  validate: ({ spec = NO_SPEC }, { featureEnabled }) =>
    collectErrors((errors) => validateAutoscalerSpec(spec, featureEnabled("HPAScaleToZero") ? 0 : 1, "spec", errors)),
  cells: ({ spec, status }) => ({
    Reference: `${spec?.scaleTargetRef?.kind ?? ""}/${spec?.scaleTargetRef?.name ?? ""}`,
    Targets: metricsText(spec?.metrics, status?.currentMetrics),
    MinPods: spec?.minReplicas === undefined ? "<unset>" : String(spec.minReplicas),
    MaxPods: spec?.maxReplicas ?? 0,
    Replicas: status?.currentReplicas ?? 0,
  }),
  validation: {
    update: ({ spec = NO_SPEC }, old, { featureEnabled }) =>
      collectErrors((errors) => {
        const lowest = featureEnabled("HPAScaleToZero") || old.spec?.minReplicas === 0 ? 0 : 1;
        validateAutoscalerSpec(spec, lowest, "spec", errors);
      }),
    subresources: {
      status: ({ status }) =>
        collectErrors((errors) => {
          validateNonNegative(status?.currentReplicas ?? 0, "status.currentReplicas", errors);
          validateNonNegative(status?.desiredReplicas ?? 0, "status.desiredReplicas", errors);
        }),
    },
  },
  compatibility: {
    order: { update: ["metadataAsChange", "declared", "update"] },
  },
});
