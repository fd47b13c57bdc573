import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { Pod } from "./pod.ts";
import { podCells, podRowConditions } from "./pod-cells.ts";

export const hooks = hooksFor<Pod>({
  cells: podCells,
  rowConditions: podRowConditions,
});
