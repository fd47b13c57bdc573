import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { containerCells, labelsText } from "../../../runtime/lib/table-text.ts";
import type { PodTemplate } from "./pod-template.ts";

export const hooks = hooksFor<PodTemplate>({
  cells: ({ template }) => ({
    ...containerCells(template?.spec?.containers),
    "Pod Labels": labelsText(template?.metadata?.labels),
  }),
});
