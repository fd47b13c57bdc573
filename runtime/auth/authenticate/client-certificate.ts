import type { TLSSocket } from "node:tls";
import {
  type AuthenticationResult,
  type ClientCertificate,
  type Credentials,
  CredentialsError,
  type RequestAuthenticator,
} from "../../contract/authentication.ts";
import type { Naming } from "../../contract/naming.ts";

/** The certificate a client showed on a connection; undefined for none. The server must have asked for one. */
export function readClientCertificate(socket: TLSSocket): ClientCertificate | undefined {
  const peer = socket.getPeerCertificate();
  if (peer.raw === undefined) return undefined;
  const organizations = (peer.subject?.O ?? []) as string | string[];
  const commonName = (peer.subject?.CN ?? "") as string | string[];
  return {
    commonName: Array.isArray(commonName) ? (commonName.at(-1) ?? "") : commonName,
    organizations: Array.isArray(organizations) ? organizations : [organizations],
    fingerprint: peer.fingerprint256.replaceAll(":", "").toLowerCase(),
    ...(!socket.authorized && { problem: String(socket.authorizationError) }),
  };
}

/** The common name is the user, the organizations its groups. A certificate of unknown origin is an error, not nobody. */
export function createCertificateAuthenticator(naming: Naming): RequestAuthenticator {
  const credentialId = naming.key("credential-id", "authentication");
  return {
    authenticate({ clientCertificate }: Credentials): AuthenticationResult | undefined {
      if (clientCertificate === undefined) return undefined;
      const { commonName, organizations, fingerprint, problem } = clientCertificate;
      if (problem !== undefined) throw new CredentialsError(`x509: certificate is not trusted: ${problem}`);
      if (commonName === "") return undefined;
      const extra = { [credentialId]: [`X509SHA256=${fingerprint}`] };
      return { user: { name: commonName, groups: organizations, extra } };
    },
  };
}
