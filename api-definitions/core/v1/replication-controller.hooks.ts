import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { containerCells, labelsText } from "../../../runtime/lib/table-text.ts";
import { defaultPodSpec } from "./pod-defaults.ts";
import type { ReplicationController } from "./replication-controller.ts";

export const hooks = hooksFor<ReplicationController>({
  defaults: defaultFromTemplate,
  cells: ({ spec }) => ({
    ...containerCells(spec?.template?.spec?.containers),
    Selector: labelsText(spec?.selector),
  }),
});

/** Selector and labels are those of the pods when none are given. */
function defaultFromTemplate(controller: ReplicationController): void {
  const template = controller.spec?.template;
  defaultPodSpec(template?.spec);
  const labels = template?.metadata?.labels;
  if (labels === undefined || controller.spec === undefined) return;
  if (Object.keys(controller.spec.selector ?? {}).length === 0) controller.spec.selector = { ...labels };
  const metadata = (controller.metadata ??= {});
  if (Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...labels };
}
