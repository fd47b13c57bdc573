import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { containerCells, labelsText, selectorText } from "../../../runtime/lib/table-text.ts";
import type { DaemonSet } from "./daemon-set.ts";

export const hooks = hooksFor<DaemonSet>({
  cells: ({ spec }) => ({
    "Node Selector": labelsText(spec?.template?.spec?.nodeSelector),
    ...containerCells(spec?.template?.spec?.containers),
    Selector: selectorText(spec?.selector),
  }),
});
