// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { CertificateSigningRequest } from "../../api-definitions/certificates/v1beta1/certificate-signing-request.ts";
import type { ClusterTrustBundle } from "../../api-definitions/certificates/v1beta1/cluster-trust-bundle.ts";

/** Asks a signer for a certificate. */
export const certificatesigningrequests = resourceToken<CertificateSigningRequest>({
  group: "certificates.k8s.io",
  version: "v1beta1",
  kind: "CertificateSigningRequest",
  resource: "certificatesigningrequests",
  namespaced: false,
});

/** Certificates to be trusted, for all who need them. */
export const clustertrustbundles = resourceToken<ClusterTrustBundle>({
  group: "certificates.k8s.io",
  version: "v1beta1",
  kind: "ClusterTrustBundle",
  resource: "clustertrustbundles",
  namespaced: false,
});
