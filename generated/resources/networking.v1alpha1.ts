// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { IPAddress } from "../../api-definitions/networking/v1alpha1/ip-address.ts";
import type { ServiceCIDR } from "../../api-definitions/networking/v1alpha1/service-cidr.ts";

/** An address that is in use. */
export const ipaddresses = resourceToken<IPAddress>({
  group: "networking.k8s.io",
  version: "v1alpha1",
  kind: "IPAddress",
  resource: "ipaddresses",
  namespaced: false,
});

/** A range of addresses for services. */
export const servicecidrs = resourceToken<ServiceCIDR>({
  group: "networking.k8s.io",
  version: "v1alpha1",
  kind: "ServiceCIDR",
  resource: "servicecidrs",
  namespaced: false,
});
