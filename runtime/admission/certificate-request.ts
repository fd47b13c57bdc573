import { readCertificateRequest } from "../x509/certificate-request.ts";

/** The organizations in the subject of a certificate request, given as base64 of PEM; undefined if it is none. */
export function requestedOrganizations(request: string): readonly string[] | undefined {
  return readCertificateRequest(request)?.organizations;
}
