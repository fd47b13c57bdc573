import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { defaultPodSpec } from "../../core/v1/pod-defaults.ts";
import { takeTemplateLabels } from "../template-labels.ts";
import type { ReplicaSet } from "./replica-set.ts";

export const hooks = hooksFor<ReplicaSet>({
  defaults: (set) => {
    takeTemplateLabels(set);
    defaultPodSpec(set.spec?.template?.spec);
  },
});
