import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { takeTemplateLabels } from "../../apps/template-labels.ts";
import { defaultPodTemplate } from "../../core/v1/pod-defaults.ts";
import type { ReplicaSet } from "./replica-set.ts";

export const hooks = kindHooks<ReplicaSet>({
  default: (set, context) => {
    takeTemplateLabels(set);
    defaultPodTemplate(set.spec?.template, context);
  },
});
