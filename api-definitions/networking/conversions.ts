import { conversion } from "../conversion-vocabulary.ts";
import { flattenBackends, nestBackends } from "./ingress-backends.ts";
import type { Ingress } from "./v1/ingress.ts";
import type { Ingress as IngressV1beta1 } from "./v1beta1/ingress.ts";

export const ingressV1beta1 = conversion<IngressV1beta1, Ingress>({
  toHub: (from, hub) => nestBackends(from, hub),
  fromHub: (hub, to) => flattenBackends(hub, to),
});
