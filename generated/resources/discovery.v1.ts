// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { EndpointSlice } from "../../api-definitions/discovery/v1/endpoint-slice.ts";

/** Some of the addresses behind a service. */
export const endpointslices = resourceToken<EndpointSlice>({
  group: "discovery.k8s.io",
  version: "v1",
  kind: "EndpointSlice",
  resource: "endpointslices",
  namespaced: true,
});
