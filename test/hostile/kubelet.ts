import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { createServer, type Server } from "node:tls";
import { createAuthority } from "../fixtures/certificates.ts";

const ACCEPT = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Behaviors of the kubelet. The bytes of a request select one, so that the same request gets the same response. */
const BEHAVIOURS: readonly ((socket: Socket, head: string) => void)[] = [
  switchAndEcho,
  switchAndEcho,
  switchAndEcho,
  (socket, head) => {
    switchAndEcho(socket, head);
    socket.end();
  },
  (socket) => void socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno"),
  (socket) => void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
  (socket) => void socket.end(Buffer.alloc(3000, 0xff)),
  (socket) => socket.destroy(),
];

/** A kubelet on loopback that accepts most requests to switch protocols and echoes the data that it receives. */
export class Kubelet {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly flags: readonly string[];

  private constructor(directory: string) {
    const { authority, issue } = createAuthority("kubelet");
    const client = issue("kube-apiserver-kubelet-client", "client");
    const file = (name: string, text: string): string => {
      writeFileSync(join(directory, name), text, { mode: 0o600 });
      return join(directory, name);
    };
    this.flags = [
      `--kubelet-certificate-authority=${file("kubelet-ca.crt", authority)}`,
      `--kubelet-client-certificate=${file("kubelet-client.crt", client.cert)}`,
      `--kubelet-client-key=${file("kubelet-client.key", client.key)}`,
      "--kubelet-preferred-address-types=InternalIP",
    ];
    this.#server = createServer(issue("127.0.0.1", "server", { names: ["127.0.0.1"] }), (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
      socket.on("error", () => socket.destroy());
      socket.once("data", (bytes) => {
        const head = bytes.toString("latin1");
        const number = createHash("sha256").update(head).digest()[0] as number;
        BEHAVIOURS[number % BEHAVIOURS.length]?.(socket, head);
      });
    });
  }

  static async started(directory: string): Promise<Kubelet> {
    const kubelet = new Kubelet(directory);
    await new Promise<void>((resolve) => kubelet.#server.listen(0, "127.0.0.1", resolve));
    return kubelet;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function switchAndEcho(socket: Socket, head: string): void {
  const of = (name: string) => new RegExp(`^${name}: *(.*)$`, "im").exec(head)?.[1]?.trim() ?? "";
  const protocol = of("X-Stream-Protocol-Version") || (of("Sec-WebSocket-Protocol").split(",")[0] ?? "");
  const lines = [
    "HTTP/1.1 101 Switching Protocols",
    "Connection: Upgrade",
    `Upgrade: ${of("Upgrade")}`,
    ...(of("Sec-WebSocket-Key") === ""
      ? [`X-Stream-Protocol-Version: ${protocol}`]
      : [
          `Sec-WebSocket-Protocol: ${protocol}`,
          `Sec-WebSocket-Accept: ${createHash("sha1")
            .update(of("Sec-WebSocket-Key") + ACCEPT)
            .digest("base64")}`,
        ]),
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  socket.pipe(socket);
}
