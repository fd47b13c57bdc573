import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { defaultPodSpec } from "../../core/v1/pod-defaults.ts";
import { takeTemplateLabels } from "../template-labels.ts";
import type { ReplicaSet } from "./replica-set.ts";

export const hooks = kindHooks<ReplicaSet>({
  default: (set) => {
    takeTemplateLabels(set);
    defaultPodSpec(set.spec?.template?.spec);
  },
});
