// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { CertificateSigningRequest } from "../../api-definitions/certificates/v1/certificate-signing-request.ts";

/** Asks a signer for a certificate. */
export const certificatesigningrequests = resourceToken<CertificateSigningRequest>({
  group: "certificates.k8s.io",
  version: "v1",
  kind: "CertificateSigningRequest",
  resource: "certificatesigningrequests",
  namespaced: false,
});
