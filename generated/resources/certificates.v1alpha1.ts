// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { ClusterTrustBundle } from "../../api-definitions/certificates/v1alpha1/cluster-trust-bundle.ts";

/** Certificates to be trusted, for all who need them. */
export const clustertrustbundles = resourceToken<ClusterTrustBundle>({
  group: "certificates.k8s.io",
  version: "v1alpha1",
  kind: "ClusterTrustBundle",
  resource: "clustertrustbundles",
  namespaced: false,
});
