import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { containerCells, selectorText } from "../../../runtime/lib/table-text.ts";
import type { ReplicaSet } from "./replica-set.ts";

export const hooks = hooksFor<ReplicaSet>({
  cells: ({ spec }) => ({
    ...containerCells(spec?.template?.spec?.containers),
    Selector: selectorText(spec?.selector),
  }),
});
