import type { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { unfinishedResponse } from "./pipelined-requests.ts";

/** An upgrade behind an unfinished response, or with a body, is ignored: the request is handled like any other. */
function mayUpgrade({ socket, headers }: IncomingMessage): boolean {
  if (unfinishedResponse(socket) !== undefined || headers["transfer-encoding"] !== undefined) return false;
  return Number(headers["content-length"] ?? 0) === 0;
}

/** What Node's server calls with the headers of a request over HTTP/1.1. It is not in Node's types. */
interface ParsedSocket {
  readonly parser?: { onIncoming?: (req: IncomingMessage, keepAlive: boolean) => number } | null;
}

/**
 * Has a new server ask `mayUpgrade` for each request. Node 22.18, 23 and early versions of 24 cannot be told to: they take every upgrade and ignore the
 * body of its request, so that a deletion would lose its preconditions. There the request is asked about before Node's server gets it.
 */
export function decideUpgrades<T extends EventEmitter>(server: T, isSecure: boolean): T {
  // Node's server of HTTP/2 has a rule of its own instead of the option.
  if ("shouldUpgradeCallback" in server) return Object.assign(server, { shouldUpgradeCallback: mayUpgrade });
  server.on(isSecure ? "secureConnection" : "connection", (socket: Socket) => {
    const { parser } = socket as ParsedSocket;
    // Connections of HTTP/2 have none.
    if (!parser?.onIncoming) return;
    const { onIncoming } = parser;
    parser.onIncoming = (req, keepAlive) => {
      if (req.method !== "CONNECT" && !mayUpgrade(req)) Object.assign(req, { upgrade: false });
      return onIncoming(req, keepAlive);
    };
  });
  return server;
}
