// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { APIService } from "../../api-definitions/apiregistration/v1beta1/api-service.ts";

/** A group and version of the API, and the server that serves it. */
export const apiservices = resourceToken<APIService>({
  group: "apiregistration.k8s.io",
  version: "v1beta1",
  kind: "APIService",
  resource: "apiservices",
  namespaced: false,
});
