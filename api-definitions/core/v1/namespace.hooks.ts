import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { Namespace } from "./namespace.ts";

const NAME_LABEL = "kubernetes.io/metadata.name";

export const hooks = hooksFor<Namespace>({
  /** Every namespace carries its name as a label, so that selectors can pick it. */
  defaults: ({ metadata }) => {
    if (metadata?.name) metadata.labels = { ...metadata.labels, [NAME_LABEL]: metadata.name };
  },
});
