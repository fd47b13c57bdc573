import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { takeTemplateLabels } from "../../apps/template-labels.ts";
import { defaultPodSpec } from "../../core/v1/pod-defaults.ts";
import type { ReplicaSet } from "./replica-set.ts";

export const hooks = kindHooks<ReplicaSet>({
  default: (set) => {
    takeTemplateLabels(set);
    defaultPodSpec(set.spec?.template?.spec);
  },
});
