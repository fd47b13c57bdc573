// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { IngressClass } from "../../api-definitions/networking/v1beta1/ingress-class.ts";
import type { Ingress } from "../../api-definitions/networking/v1beta1/ingress.ts";
import type { IPAddress } from "../../api-definitions/networking/v1beta1/ip-address.ts";
import type { ServiceCIDR } from "../../api-definitions/networking/v1beta1/service-cidr.ts";

/** An implementation of Ingress. */
export const ingressclasses = resourceToken<IngressClass>({
  group: "networking.k8s.io",
  version: "v1beta1",
  kind: "IngressClass",
  resource: "ingressclasses",
  namespaced: false,
});

/** Lets HTTP requests from outside in to services. */
export const ingresses = resourceToken<Ingress>({
  group: "networking.k8s.io",
  version: "v1beta1",
  kind: "Ingress",
  resource: "ingresses",
  namespaced: true,
});

/** An address that is in use. */
export const ipaddresses = resourceToken<IPAddress>({
  group: "networking.k8s.io",
  version: "v1beta1",
  kind: "IPAddress",
  resource: "ipaddresses",
  namespaced: false,
});

/** A range of addresses for services. */
export const servicecidrs = resourceToken<ServiceCIDR>({
  group: "networking.k8s.io",
  version: "v1beta1",
  kind: "ServiceCIDR",
  resource: "servicecidrs",
  namespaced: false,
});
