import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

export interface Endpoint {
  readonly port: number;
  /** Authority of the server's certificate, in PEM. */
  readonly authority: string;
}

export type Protocol = "http/1.1" | "h2" | "none";

export interface Connection {
  readonly socket: Socket;
  /** Ends the connection with RST, like a peer that was powered off. */
  readonly reset: () => void;
}

/** TLS sessions are resumed if possible, which costs both sides less. */
const sessions = new Map<string, Buffer>();

/** Connects to the server and completes the TLS handshake. `none` uses plain TCP. */
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
