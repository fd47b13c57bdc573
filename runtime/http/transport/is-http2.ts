import type { IncomingMessage } from "node:http";

/**
 * Whether a request arrived over an HTTP/2 connection. The version of a request is not reliable: over HTTP/1.1, it is whatever the peer
 * wrote in the request line, such as `GET / HTTP/2.0`.
 */
export function isHttp2(req: IncomingMessage): boolean {
  return (req as { readonly stream?: unknown }).stream !== undefined;
}
