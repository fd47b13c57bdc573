import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { containerCells } from "../../../runtime/lib/table-text.ts";
import type { StatefulSet } from "./stateful-set.ts";

export const hooks = hooksFor<StatefulSet>({
  cells: ({ spec, status }) => ({
    Ready: `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    ...containerCells(spec?.template?.spec?.containers),
  }),
});
