import type { TLSSocket } from "node:tls";

interface ParsedSocket {
  readonly parser?: { pause(): void } | null;
}

/**
 * Makes the HTTP/1.1 parser of a TLS connection parse everything that was decrypted. If a request arrives while the socket is still
 * writing, Node stops reading the socket and pauses the parser. TLS delivers the decrypted data nevertheless, and a paused parser fails
 * (`HPE_PAUSED`) in the middle of a body. Not reading the socket is sufficient: at most one more read follows.
 */
export function keepParsing(socket: TLSSocket): void {
  const { parser } = socket as ParsedSocket;
  if (parser) parser.pause = () => undefined;
}
