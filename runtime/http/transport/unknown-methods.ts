import type { RequestListener, Server } from "node:http";
import type { Socket } from "node:net";
import { type Duplex, duplexPair } from "node:stream";
import { afterResponses } from "./pipelined-requests.ts";

const { createServer, METHODS } = process.getBuiltinModule("node:http");

/** What a method may be made of. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Longer ones are none. */
const MAX_METHOD_LENGTH = 256;
const HEAD_END = "\r\n\r\n";

interface Asked {
  readonly method: string;
  readonly socket: Duplex;
}

/**
 * Node's parser gives up on methods it never heard of, Go's servers answer them like any other. Takes what the parser was
 * given and lets it read that once more, under a method it knows; `handle` is told the real one, when the responses before
 * are finished. The connection is closed with the response. False where the beginning of the request is not all there, or
 * no request, or another that was read already and must not be twice.
 */
export function createUnknownMethods(handle: RequestListener): (packet: Buffer, socket: Duplex) => boolean {
  const asked = new WeakMap<object, Asked>();
  let server: Server | undefined;
  const start = (): Server =>
    createServer((req, res) => {
      const original = asked.get(req.socket);
      // The connection ends with the first response: what is pipelined behind it is never answered.
      if (original === undefined) return;
      asked.delete(req.socket);
      req.method = original.method;
      // Who asks is known of the connection that the request really came by.
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
    // The rest of its body.
    socket.pipe(near);
    afterResponses(socket, () => {
      near.pipe(socket);
      server ??= start();
      server.emit("connection", far);
    });
    return true;
  };
}
