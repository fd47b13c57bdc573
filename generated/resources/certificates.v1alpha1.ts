// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { clusterTrustBundle as defineClusterTrustBundle, type ClusterTrustBundle } from "../../api-definitions/certificates/v1alpha1/cluster-trust-bundle.ts";

/** A cluster-scoped set of X.509 trust anchors (root certificates) that all workloads can read and pods can mount as a projected volume. A bundle either belongs to a signer or is independent. If it belongs to a signer, its name must begin with the signer name, with `/` replaced by `:`, followed by `:`, and writing it requires the verb `attest` on the signer. Otherwise its name must not contain `:`. */
export const clustertrustbundles = resourceToken<ClusterTrustBundle>({
  group: "certificates.k8s.io",
  version: "v1alpha1",
  kind: "ClusterTrustBundle",
  resource: "clustertrustbundles",
  namespaced: false,
}, defineClusterTrustBundle);
