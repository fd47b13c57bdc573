import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { containerCells, labelsText } from "../../../runtime/lib/table-text.ts";
import { defaultPodSpec } from "./pod-defaults.ts";
import type { PodTemplate } from "./pod-template.ts";

export const hooks = hooksFor<PodTemplate>({
  defaults: ({ template }) => defaultPodSpec(template?.spec),
  cells: ({ template }) => ({
    ...containerCells(template?.spec?.containers),
    "Pod Labels": labelsText(template?.metadata?.labels),
  }),
});
