import { X509Certificate } from "node:crypto";
import type { DetailedPeerCertificate, PeerCertificate, TLSSocket } from "node:tls";
import {
  type AuthenticationResult,
  type ClientCertificate,
  type Credentials,
  CredentialsError,
  type RequestAuthenticator,
  type Validity,
} from "../../contract/authentication.ts";
import type { Naming } from "../../contract/naming.ts";
import { type Authorities, ownValidity } from "../../x509/certificate-authorities.ts";
import { readSubject, type Subject, subjectOf } from "../../x509/distinguished-name.ts";

/** CAs of client certificates, and of front proxies if these are configured. */
export interface CertificateAuthorities {
  readonly clients: Authorities;
  readonly frontProxies?: Authorities;
}

/**
 * Returns the client certificate of a connection; undefined if there is none. The TLS server must request a certificate, and accept all CAs in the
 * handshake. The certificate of a closed connection cannot be read: that is an error, not a missing certificate.
 */
export function readClientCertificate(
  socket: TLSSocket,
  authorities: CertificateAuthorities,
): ClientCertificate | undefined {
  // Null for a closed connection, although the type does not include it.
  const peer = socket.getPeerCertificate(true) as DetailedPeerCertificate | null;
  if (peer === null) return CLOSED;
  if (peer.raw === undefined) return undefined;
  const own = {
    fingerprint: peer.fingerprint256.replaceAll(":", "").toLowerCase(),
    validUntil: Date.parse(peer.valid_to),
  };
  const subject = readOwnSubject(peer.raw);
  if (subject === undefined) return { ...own, commonName: "", organizations: [], problem: "malformed subject" };
  return {
    ...own,
    ...subject,
    ...(socket.authorized ? judge(chainOf(peer), authorities) : { problem: String(socket.authorizationError) }),
  };
}

/** The result for a connection that was closed before its certificate was read. */
const CLOSED: ClientCertificate = {
  commonName: "",
  organizations: [],
  fingerprint: "",
  problem: "the connection is closed",
};

/**
 * Evaluates a certificate that was verified in the TLS handshake. Some releases of Node.js hide the intermediate CAs that a client sends
 * (nodejs/node#65579). In this case, if front proxies have a CA, the CA of the certificate is unknown; otherwise only the validity period of the
 * certificate itself is checked.
 */
function judge(
  chain: readonly X509Certificate[],
  { clients, frontProxies }: CertificateAuthorities,
): Partial<ClientCertificate> {
  const frontProxyValidity = frontProxies?.validityOf(chain);
  const [leaf] = chain;
  const isIncomplete = frontProxies === undefined && chain.length === 1 && leaf !== undefined;
  const validity = clients.validityOf(chain) ?? (isIncomplete ? ownValidity(leaf) : undefined);
  return {
    ...(validity ? { validity } : { problem: "signed by unknown authority" }),
    ...(frontProxyValidity && { isFrontProxy: true, frontProxyValidity }),
  };
}

/** Returns undefined if the subject is not valid DER, or contains strings that Go cannot read. */
function readOwnSubject(certificate: Uint8Array): Subject | undefined {
  try {
    return readSubject(subjectOf(certificate));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Throws a CredentialsError if `now` is outside the validity period of a certificate. */
export function checkValidity({ from, until }: Validity, now: Date): void {
  const time = now.getTime();
  if (time >= from && time <= until) return;
  const [order, limit] = time < from ? ["before", from] : ["after", until];
  const shown = (milliseconds: number) => new Date(milliseconds).toISOString().replace(".000Z", "Z");
  throw new CredentialsError(
    `x509: certificate has expired or is not yet valid: current time ${shown(time)} is ${order} ${shown(limit)}`,
  );
}

/** Returns the client certificate and those sent with it, each followed by its issuer. */
function chainOf(peer: DetailedPeerCertificate): X509Certificate[] {
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

/**
 * Authenticates a client certificate: the common name is the user name, the organizations are its groups. A certificate of an unknown CA is an error,
 * not an anonymous request.
 */
export function createCertificateAuthenticator(
  naming: Naming,
  now: () => Date,
  {
    onTrusted = () => undefined,
    readsUids = true,
  }: {
    readonly onTrusted?: (certificate: ClientCertificate) => void;
    /** `AllowParsingUserUIDFromCertAuth` */
    readonly readsUids?: boolean;
  } = {},
): RequestAuthenticator {
  const credentialId = naming.key("credential-id", "authentication");
  return {
    authenticate({ clientCertificate }: Credentials): AuthenticationResult | undefined {
      if (clientCertificate === undefined) return undefined;
      const { commonName, organizations, fingerprint, problem, validity } = clientCertificate;
      if (problem !== undefined) throw new CredentialsError(`x509: certificate is not trusted: ${problem}`);
      if (validity !== undefined) checkValidity(validity, now());
      onTrusted(clientCertificate);
      if (commonName === "") return undefined;
      const uid = readsUids ? uidOf(clientCertificate) : undefined;
      const extra = { [credentialId]: [`X509SHA256=${fingerprint}`] };
      return { user: { name: commonName, ...(uid !== undefined && { uid }), groups: organizations, extra } };
    },
  };
}

function uidOf({ uids = [] }: ClientCertificate): string | undefined {
  const [uid] = uids;
  if (uids.length > 1) throw new CredentialsError(`expected 1 UID, but found multiple: [${uids.join(" ")}]`);
  if (uid === "") throw new CredentialsError("UID cannot be an empty string");
  return uid;
}
