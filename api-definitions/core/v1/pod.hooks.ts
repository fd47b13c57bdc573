import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { Pod } from "./pod.ts";
import { podCells, podRowConditions } from "./pod-cells.ts";
import { defaultPod } from "./pod-defaults.ts";
import { validatePod, validatePodUpdate } from "./pod-validation.ts";

export const hooks = hooksFor<Pod>({
  defaults: defaultPod,
  validate: validatePod,
  validateUpdate: validatePodUpdate,
  cells: podCells,
  rowConditions: podRowConditions,
});
