import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { containerCells, labelsText } from "../../../runtime/lib/table-text.ts";
import type { ReplicationController } from "./replication-controller.ts";

export const hooks = hooksFor<ReplicationController>({
  cells: ({ spec }) => ({
    ...containerCells(spec?.template?.spec?.containers),
    Selector: labelsText(spec?.selector),
  }),
});
