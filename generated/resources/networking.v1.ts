// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { IngressClass } from "../../api-definitions/networking/v1/ingress-class.ts";
import type { Ingress } from "../../api-definitions/networking/v1/ingress.ts";
import type { IPAddress } from "../../api-definitions/networking/v1/ip-address.ts";
import type { NetworkPolicy } from "../../api-definitions/networking/v1/network-policy.ts";
import type { ServiceCIDR } from "../../api-definitions/networking/v1/service-cidr.ts";

/** An implementation of Ingress. */
export const ingressclasses = resourceToken<IngressClass>({
  group: "networking.k8s.io",
  version: "v1",
  kind: "IngressClass",
  resource: "ingressclasses",
  namespaced: false,
});

/** Lets HTTP requests from outside in to services. */
export const ingresses = resourceToken<Ingress>({
  group: "networking.k8s.io",
  version: "v1",
  kind: "Ingress",
  resource: "ingresses",
  namespaced: true,
});

/** An address that is in use. */
export const ipaddresses = resourceToken<IPAddress>({
  group: "networking.k8s.io",
  version: "v1",
  kind: "IPAddress",
  resource: "ipaddresses",
  namespaced: false,
});

/** Says which traffic pods may receive and send. */
export const networkpolicies = resourceToken<NetworkPolicy>({
  group: "networking.k8s.io",
  version: "v1",
  kind: "NetworkPolicy",
  resource: "networkpolicies",
  namespaced: true,
});

/** A range of addresses for services. */
export const servicecidrs = resourceToken<ServiceCIDR>({
  group: "networking.k8s.io",
  version: "v1",
  kind: "ServiceCIDR",
  resource: "servicecidrs",
  namespaced: false,
});
