import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

export interface Endpoint {
  readonly port: number;
  /** PEM of the authority of the server's certificate. */
  readonly authority: string;
}

export type Protocol = "http/1.1" | "h2" | "none";

export interface Connection {
  readonly socket: Socket;
  /** Ends the connection by RST, as a peer that was switched off does. */
  readonly reset: () => void;
}

/** Sessions are resumed where they can be, which costs both sides less. */
const sessions = new Map<string, Buffer>();

/** A connection to the server, after the handshake of TLS; `none` speaks plain TCP. */
export function connect({ port, authority }: Endpoint, protocol: Protocol): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const tcp = connectTcp({ port, host: "127.0.0.1" });
    const reset = (): void => void tcp.resetAndDestroy();
    const refuse = (error: Error): void => {
      tcp.destroy();
      reject(error);
    };
    tcp.on("error", refuse);
    if (protocol === "none") {
      tcp.once("connect", () => resolve({ socket: tcp, reset }));
      return;
    }
    const key = `${port} ${protocol}`;
    const session = sessions.get(key);
    const socket = connectTls({
      socket: tcp,
      ca: authority,
      checkServerIdentity: () => undefined,
      ALPNProtocols: [protocol],
      ...(session && { session }),
    });
    socket.once("secureConnect", () => resolve({ socket, reset }));
    socket.once("session", (ticket: Buffer) => sessions.set(key, ticket));
    socket.once("error", refuse);
    socket.once("close", () => refuse(new Error("closed during the handshake")));
  });
}
