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

/** Imported, it would have to be there: Node 23.6 cannot read the certificates of the system. */
const { getCACertificates, rootCertificates } = process.getBuiltinModule("node:tls") as Partial<
  Pick<typeof import("node:tls"), "getCACertificates">
> &
  Pick<typeof import("node:tls"), "rootCertificates">;

/** PEM of the authorities that the system trusts; those that Node brings along where it cannot read them. */
export const systemAuthorities = (): readonly string[] => getCACertificates?.("system") ?? rootCertificates;
