import type { IncomingMessage } from "node:http";

/**
 * Whether a request came over a connection of HTTP/2. The version of a request does not tell: over HTTP/1.1 it is what the peer
 * wrote into the request line, such as `GET / HTTP/2.0`.
 */
export function isHttp2(req: IncomingMessage): boolean {
  return (req as { readonly stream?: unknown }).stream !== undefined;
}
