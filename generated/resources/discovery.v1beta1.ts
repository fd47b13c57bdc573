// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { endpointSlice as defineEndpointSlice, type EndpointSlice } from "../../api-definitions/discovery/v1beta1/endpoint-slice.ts";

/** Some of the endpoints behind a Service, all of one address type and with the same ports. The endpoint slice controller creates them for Services with a selector; create them yourself for others. The label `kubernetes.io/service-name` names the Service; a Service may have many slices. */
export const endpointslices = resourceToken<EndpointSlice>({
  group: "discovery.k8s.io",
  version: "v1beta1",
  kind: "EndpointSlice",
  resource: "endpointslices",
  namespaced: true,
}, defineEndpointSlice);
