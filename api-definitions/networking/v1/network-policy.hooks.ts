import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { selectorText } from "../../../runtime/lib/table-text.ts";
import type { NetworkPolicy } from "./network-policy.ts";

export const hooks = hooksFor<NetworkPolicy>({
  cells: ({ spec }) => ({ "Pod-Selector": selectorText(spec?.podSelector) }),
});
