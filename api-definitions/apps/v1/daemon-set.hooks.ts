import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors } from "../../../runtime/lib/collect-errors.ts";
import { containerCells, labelsText, selectorText } from "../../../runtime/lib/table-text.ts";
import { defaultPodSpec } from "../../core/v1/pod-defaults.ts";
import type { DaemonSet, DaemonSetSpec, DaemonSetStatus } from "./daemon-set.ts";
import { validateDaemonSetSpec, validateDaemonSetStatus } from "./daemon-set-validation.ts";
import { validateSelectorUnchanged } from "./workload-validation.ts";

const NO_SPEC = {} as DaemonSetSpec;
const NO_STATUS = {} as DaemonSetStatus;

export const hooks = hooksFor<DaemonSet>({
  defaults: ({ spec }) => {
    defaultPodSpec(spec?.template?.spec);
    if (spec?.updateStrategy?.type !== "RollingUpdate") return;
    const rolling = (spec.updateStrategy.rollingUpdate ??= {});
    rolling.maxUnavailable ??= 1;
    rolling.maxSurge ??= 0;
  },
  validate: ({ spec = NO_SPEC }) => collectErrors((errors) => validateDaemonSetSpec(spec, "spec", errors)),
  validateUpdate: ({ spec = NO_SPEC }, old) =>
    collectErrors((errors) => {
      validateDaemonSetSpec(spec, "spec", errors);
      validateSelectorUnchanged(spec.selector, old.spec?.selector, errors);
    }),
  validateSubresource: {
    status: ({ status = NO_STATUS }, old) =>
      collectErrors((errors) => validateDaemonSetStatus(status, old.status ?? NO_STATUS, "status", errors)),
  },
  cells: ({ spec }) => ({
    "Node Selector": labelsText(spec?.template?.spec?.nodeSelector),
    ...containerCells(spec?.template?.spec?.containers),
    Selector: selectorText(spec?.selector),
  }),
});
