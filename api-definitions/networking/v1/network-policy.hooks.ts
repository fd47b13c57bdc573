import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { selectorText } from "../../../runtime/lib/table-text.ts";
import type { NetworkPolicy } from "./network-policy.ts";

export const hooks = hooksFor<NetworkPolicy>({
  defaults: ({ spec }) => {
    if (spec === undefined || (spec.policyTypes?.length ?? 0) > 0) return;
    spec.policyTypes = (spec.egress?.length ?? 0) > 0 ? ["Ingress", "Egress"] : ["Ingress"];
  },
  cells: ({ spec }) => ({ "Pod-Selector": selectorText(spec?.podSelector) }),
});
