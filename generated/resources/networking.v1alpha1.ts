// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { ipAddress as defineIPAddress, type IPAddress } from "../../api-definitions/networking/v1alpha1/ip-address.ts";
import { serviceCIDR as defineServiceCIDR, type ServiceCIDR } from "../../api-definitions/networking/v1alpha1/service-cidr.ts";

/** Records that an IP address is in use. The server creates and deletes one for each cluster IP of a Service; users rarely write them. Its name is the address in its canonical form, such as `10.0.0.1` or `2001:db8::1`, so that no address can be assigned twice. */
export const ipaddresses = resourceToken<IPAddress>({
  group: "networking.k8s.io",
  version: "v1alpha1",
  kind: "IPAddress",
  resource: "ipaddresses",
  namespaced: false,
}, defineIPAddress);

/** Range of IP addresses from which Services get their cluster IPs. The server creates one from its flag `--service-cluster-ip-range`; create more to add addresses while the cluster runs. When it is deleted, it remains until every assigned address in it is released or also lies in another range. */
export const servicecidrs = resourceToken<ServiceCIDR>({
  group: "networking.k8s.io",
  version: "v1alpha1",
  kind: "ServiceCIDR",
  resource: "servicecidrs",
  namespaced: false,
}, defineServiceCIDR);
