import { X509Certificate } from "node:crypto";
import type { DetailedPeerCertificate, PeerCertificate, TLSSocket } from "node:tls";
import {
  type AuthenticationResult,
  type ClientCertificate,
  type Credentials,
  CredentialsError,
  type RequestAuthenticator,
} from "../../contract/authentication.ts";
import type { Naming } from "../../contract/naming.ts";
import type { Authorities } from "../../lib/certificate-authorities.ts";

/** Who signs the certificates of front proxies, where a server listens to them, and of clients. */
export interface CertificateAuthorities {
  readonly clients: Authorities;
  readonly frontProxies: Authorities;
}

/**
 * The certificate a client showed on a connection; undefined for none. The server must have asked for one, and trusted all
 * authorities alike.
 */
export function readClientCertificate(
  socket: TLSSocket,
  authorities?: CertificateAuthorities,
): ClientCertificate | undefined {
  const peer = socket.getPeerCertificate(authorities !== undefined);
  if (peer.raw === undefined) return undefined;
  const organizations = (peer.subject?.O ?? []) as string | string[];
  const commonName = (peer.subject?.CN ?? "") as string | string[];
  return {
    commonName: Array.isArray(commonName) ? (commonName.at(-1) ?? "") : commonName,
    organizations: Array.isArray(organizations) ? organizations : [organizations],
    fingerprint: peer.fingerprint256.replaceAll(":", "").toLowerCase(),
    validUntil: Date.parse(peer.valid_to),
    ...(socket.authorized
      ? authorities && judge(chainOf(peer), authorities)
      : { problem: String(socket.authorizationError) }),
  };
}

function judge(
  chain: readonly X509Certificate[],
  { clients, frontProxies }: CertificateAuthorities,
): Pick<ClientCertificate, "problem" | "isFrontProxy"> {
  return {
    isFrontProxy: frontProxies.vouchFor(chain),
    ...(!clients.vouchFor(chain) && { problem: "signed by unknown authority" }),
  };
}

/** The certificate and those that came with it, each said to be signed by the next. */
function chainOf(peer: PeerCertificate | DetailedPeerCertificate): X509Certificate[] {
  const chain: X509Certificate[] = [];
  const seen = new Set<string>();
  let next: PeerCertificate | undefined = peer;
  while (next?.raw !== undefined && !seen.has(next.fingerprint256)) {
    seen.add(next.fingerprint256);
    chain.push(new X509Certificate(next.raw));
    next = (next as Partial<DetailedPeerCertificate>).issuerCertificate;
  }
  return chain;
}

/** The common name is the user, the organizations its groups. A certificate of unknown origin is an error, not nobody. */
export function createCertificateAuthenticator(
  naming: Naming,
  onTrusted: (certificate: ClientCertificate) => void = () => undefined,
): RequestAuthenticator {
  const credentialId = naming.key("credential-id", "authentication");
  return {
    authenticate({ clientCertificate }: Credentials): AuthenticationResult | undefined {
      if (clientCertificate === undefined) return undefined;
      const { commonName, organizations, fingerprint, problem } = clientCertificate;
      if (problem !== undefined) throw new CredentialsError(`x509: certificate is not trusted: ${problem}`);
      onTrusted(clientCertificate);
      if (commonName === "") return undefined;
      const extra = { [credentialId]: [`X509SHA256=${fingerprint}`] };
      return { user: { name: commonName, groups: organizations, extra } };
    },
  };
}
