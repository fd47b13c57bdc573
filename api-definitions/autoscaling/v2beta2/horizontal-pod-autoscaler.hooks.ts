import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { defaultAutoscaler } from "../v2/autoscaler-defaults.ts";
import type { HorizontalPodAutoscaler } from "./horizontal-pod-autoscaler.ts";

export const hooks = kindHooks<HorizontalPodAutoscaler>({
  default: (autoscaler) => defaultAutoscaler(autoscaler),
});
