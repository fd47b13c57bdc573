import type { RequestListener, Server } from "node:http";
import type { Socket } from "node:net";
import { type Duplex, duplexPair } from "node:stream";

const { createServer, METHODS } = process.getBuiltinModule("node:http");

/** What a method may be made of. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const HEAD_END = "\r\n\r\n";

interface Asked {
  readonly method: string;
  readonly socket: Duplex;
}

/**
 * Node's parser gives up on methods it never heard of, Go's servers answer them like any other. Takes what the parser was
 * given and lets it read that once more, under a method it knows; `handle` is told the real one. False where the
 * beginning of the request is not all there, or no request, or another that was read already and must not be twice.
 */
export function createMadeUpMethods(handle: RequestListener): (packet: Buffer, socket: Duplex) => boolean {
  const asked = new WeakMap<object, Asked>();
  let server: Server | undefined;
  const start = (): Server =>
    createServer((req, res) => {
      const original = asked.get(req.socket);
      if (original !== undefined) {
        req.method = original.method;
        // Who asks is known of the connection that the request really came by.
        req.socket = original.socket as Socket;
      }
      res.shouldKeepAlive = false;
      handle(req, res);
    });
  return (packet, socket) => {
    const space = packet.indexOf(" ");
    const method = packet.subarray(0, Math.max(space, 0)).toString("latin1");
    if (!packet.includes(HEAD_END) || !TOKEN.test(method) || METHODS.includes(method)) return false;
    const [near, far] = duplexPair();
    far.on("error", () => far.destroy());
    near.on("error", () => near.destroy());
    socket.once("close", () => near.destroy());
    asked.set(far, { method, socket });
    near.pipe(socket);
    server ??= start();
    server.emit("connection", far);
    near.write(Buffer.concat([Buffer.from("POST"), packet.subarray(space)]));
    return true;
  };
}
