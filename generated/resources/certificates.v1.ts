// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { certificateSigningRequest as defineCertificateSigningRequest, type CertificateSigningRequest } from "../../api-definitions/certificates/v1/certificate-signing-request.ts";

/** Requests an X.509 certificate from a signer. It must be approved, by `kubectl certificate approve` or by a controller, before the signer issues the certificate in `status.certificate`. Controllers delete requests after some time. */
export const certificatesigningrequests = resourceToken<CertificateSigningRequest>({
  group: "certificates.k8s.io",
  version: "v1",
  kind: "CertificateSigningRequest",
  resource: "certificatesigningrequests",
  namespaced: false,
}, defineCertificateSigningRequest);
