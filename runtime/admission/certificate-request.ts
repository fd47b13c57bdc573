import { readCertificateRequest } from "../x509/certificate-request.ts";

/**
 * Returns the organizations in the subject of a certificate request, which is given as base64 of PEM; undefined if it is not a certificate request.
 */
export function requestedOrganizations(request: string): readonly string[] | undefined {
  return readCertificateRequest(request)?.organizations;
}
