import { isIP } from "node:net";
import { type ConnectionOptions, checkServerIdentity, connect, type TLSSocket } from "node:tls";

/**
 * Opens a connection of TLS. Its `servername` may be an address, as in Go: the handshake then sends no name, which cannot be an address and which
 * Node 26 refuses to send, and the certificate is verified for that address.
 */
export function connectTls(options: ConnectionOptions): TLSSocket {
  const { servername = "" } = options;
  if (isIP(servername) === 0) return connect(options);
  return connect({
    ...options,
    servername: "",
    checkServerIdentity: (_host, certificate) => checkServerIdentity(servername, certificate),
  });
}

/** Not imported by name, because Node 23.6 does not have it: an import would fail. */
const { getCACertificates, rootCertificates } = process.getBuiltinModule("node:tls") as Partial<
  Pick<typeof import("node:tls"), "getCACertificates">
> &
  Pick<typeof import("node:tls"), "rootCertificates">;

/** PEM certificates of the CAs that the system trusts; the CAs of Node.js if this version of Node cannot read those of the system. */
export const systemAuthorities = (): readonly string[] => getCACertificates?.("system") ?? rootCertificates;
