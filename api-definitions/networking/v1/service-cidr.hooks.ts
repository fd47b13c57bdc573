import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { ServiceCIDR } from "./service-cidr.ts";

export const hooks = hooksFor<ServiceCIDR>({
  cells: ({ spec }) => ({ CIDRs: (spec?.cidrs ?? []).join(",") }),
});
