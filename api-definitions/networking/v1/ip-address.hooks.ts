import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { IPAddress } from "./ip-address.ts";

export const hooks = hooksFor<IPAddress>({
  cells: ({ spec }) => {
    const parent = spec?.parentRef;
    if (parent === undefined) return { ParentRef: "<none>" };
    const resource = (parent.group ? `${parent.resource}.${parent.group}` : (parent.resource ?? "")).toLowerCase();
    return { ParentRef: [resource, ...(parent.namespace ? [parent.namespace] : []), parent.name].join("/") };
  },
});
