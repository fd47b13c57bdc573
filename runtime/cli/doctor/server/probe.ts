import { connect } from "node:tls";

const TIMEOUT_MS = 5_000;

/** Opens a TLS connection to a URL. Resolves with the reason if that fails, otherwise with undefined. */
export function probe(url: string, caBundle: string | undefined): Promise<string | undefined> {
  const { hostname, port } = new URL(url);
  const ca = caBundle === undefined || caBundle === "" ? undefined : Buffer.from(caBundle, "base64");
  const host = hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port || 443), ...(ca !== undefined && { ca }) });
    const end = (reason?: string): void => {
      socket.destroy();
      resolve(reason);
    };
    socket.setTimeout(TIMEOUT_MS, () => end("no TLS handshake within 5 seconds"));
    socket.once("error", (error) => end(error.message));
    socket.once("secureConnect", () => end());
  });
}
