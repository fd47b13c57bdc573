// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { apiService as defineAPIService, type APIService } from "../../api-definitions/apiregistration/v1/api-service.ts";

/** Registers one version of an API group and the server that serves it. Create one to have requests for `/apis/<group>/<version>` proxied to an extension API server in the cluster; the API server creates those of its own groups and of custom kinds by itself. The name must be `<version>.<group>`. */
export const apiservices = resourceToken<APIService>({
  group: "apiregistration.k8s.io",
  version: "v1",
  kind: "APIService",
  resource: "apiservices",
  namespaced: false,
}, defineAPIService);
