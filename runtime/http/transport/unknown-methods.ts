import type { RequestListener, Server } from "node:http";
import type { Socket } from "node:net";
import { type Duplex, duplexPair } from "node:stream";
import { afterResponses } from "./pipelined-requests.ts";

const { createServer, METHODS } = process.getBuiltinModule("node:http");

/** Characters of a valid method. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Longer methods are not handled. */
const MAX_METHOD_LENGTH = 256;
const HEAD_END = "\r\n\r\n";

interface Asked {
  readonly method: string;
  readonly socket: Duplex;
}

/**
 * Handles requests with methods that Node's parser rejects; Go's servers handle them like any other. The returned function passes the
 * rejected data to the parser again with a known method. `handle` is called with the real method, after the previous responses. The
 * connection is closed after the response. Returns false if the headers are incomplete, if the data is not a request, or if its method is
 * known: then it was parsed already and must not be handled twice.
 */
export function createUnknownMethods(handle: RequestListener): (packet: Buffer, socket: Duplex) => boolean {
  const asked = new WeakMap<object, Asked>();
  let server: Server | undefined;
  const start = (): Server =>
    createServer((req, res) => {
      const original = asked.get(req.socket);
      // The connection ends with the first response: requests pipelined behind it are never handled.
      if (original === undefined) return;
      asked.delete(req.socket);
      req.method = original.method;
      // The request is authenticated by its real connection.
      req.socket = original.socket as Socket;
      res.shouldKeepAlive = false;
      handle(req, res);
    });
  return (packet, socket) => {
    const space = packet.subarray(0, MAX_METHOD_LENGTH).indexOf(" ");
    const method = packet.subarray(0, Math.max(space, 0)).toString("latin1");
    if (!TOKEN.test(method) || METHODS.includes(method) || !packet.includes(HEAD_END)) return false;
    const [near, far] = duplexPair();
    far.on("error", () => far.destroy());
    near.on("error", () => near.destroy());
    near.once("close", () => (socket as Socket).destroySoon());
    socket.once("close", () => near.destroy());
    asked.set(far, { method, socket });
    near.write(Buffer.concat([Buffer.from("POST"), packet.subarray(space)]));
    // Forwards the rest of the body.
    socket.pipe(near);
    afterResponses(socket, () => {
      near.pipe(socket);
      server ??= start();
      server.emit("connection", far);
    });
    return true;
  };
}
