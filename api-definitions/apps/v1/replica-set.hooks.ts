import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { containerCells, selectorText } from "../../../runtime/lib/table-text.ts";
import { defaultPodSpec } from "../../core/v1/pod-defaults.ts";
import type { ReplicaSet } from "./replica-set.ts";

export const hooks = hooksFor<ReplicaSet>({
  defaults: ({ spec }) => defaultPodSpec(spec?.template?.spec),
  cells: ({ spec }) => ({
    ...containerCells(spec?.template?.spec?.containers),
    Selector: selectorText(spec?.selector),
  }),
});
