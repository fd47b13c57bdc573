// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { ingressClass as defineIngressClass, type IngressClass } from "../../api-definitions/networking/v1/ingress-class.ts";
import { ingress as defineIngress, type Ingress } from "../../api-definitions/networking/v1/ingress.ts";
import { ipAddress as defineIPAddress, type IPAddress } from "../../api-definitions/networking/v1/ip-address.ts";
import { networkPolicy as defineNetworkPolicy, type NetworkPolicy } from "../../api-definitions/networking/v1/network-policy.ts";
import { serviceCIDR as defineServiceCIDR, type ServiceCIDR } from "../../api-definitions/networking/v1/service-cidr.ts";

/** Connects Ingresses with the controller that implements them. Ingresses name it in `spec.ingressClassName`. With the annotation `ingressclass.kubernetes.io/is-default-class: "true"` it applies to new Ingresses that name no class. */
export const ingressclasses = resourceToken<IngressClass>({
  group: "networking.k8s.io",
  version: "v1",
  kind: "IngressClass",
  resource: "ingressclasses",
  namespaced: false,
}, defineIngressClass);

/** Routes HTTP and HTTPS requests from outside the cluster to Services, by host name and path, and terminates TLS. It has an effect only if an ingress controller for its class runs in the cluster. For other protocols use a Service of type `LoadBalancer` or `NodePort`. */
export const ingresses = resourceToken<Ingress>({
  group: "networking.k8s.io",
  version: "v1",
  kind: "Ingress",
  resource: "ingresses",
  namespaced: true,
}, defineIngress);

/** Records that an IP address is in use. The server creates and deletes one for each cluster IP of a Service; users rarely write them. Its name is the address in its canonical form, such as `10.0.0.1` or `2001:db8::1`, so that no address can be assigned twice. */
export const ipaddresses = resourceToken<IPAddress>({
  group: "networking.k8s.io",
  version: "v1",
  kind: "IPAddress",
  resource: "ipaddresses",
  namespaced: false,
}, defineIPAddress);

/** Restricts the network traffic of pods at the level of IP addresses and ports. Pods that no policy selects accept all traffic; as soon as one selects them, only traffic that some policy allows passes in the directions of that policy. Policies only add permissions, so their order does not matter. Requires a network plugin that implements it. */
export const networkpolicies = resourceToken<NetworkPolicy>({
  group: "networking.k8s.io",
  version: "v1",
  kind: "NetworkPolicy",
  resource: "networkpolicies",
  namespaced: true,
}, defineNetworkPolicy);

/** Range of IP addresses from which Services get their cluster IPs. The server creates one from its flag `--service-cluster-ip-range`; create more to add addresses while the cluster runs. When it is deleted, it remains until every assigned address in it is released or also lies in another range. */
export const servicecidrs = resourceToken<ServiceCIDR>({
  group: "networking.k8s.io",
  version: "v1",
  kind: "ServiceCIDR",
  resource: "servicecidrs",
  namespaced: false,
}, defineServiceCIDR);
