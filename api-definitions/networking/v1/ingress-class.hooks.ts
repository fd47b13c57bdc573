import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { IngressClass } from "./ingress-class.ts";

export const hooks = hooksFor<IngressClass>({
  cells: ({ spec }) => {
    const parameters = spec?.parameters;
    if (parameters === undefined) return { Parameters: "<none>" };
    const kind = parameters.apiGroup === undefined ? parameters.kind : `${parameters.kind}.${parameters.apiGroup}`;
    return { Parameters: `${kind}/${parameters.name}` };
  },
});
