import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { PodDisruptionBudget } from "./pod-disruption-budget.ts";

export const hooks = hooksFor<PodDisruptionBudget>({
  cells: ({ spec }) => ({
    "Min Available": String(spec?.minAvailable ?? "N/A"),
    "Max Unavailable": String(spec?.maxUnavailable ?? "N/A"),
  }),
});
