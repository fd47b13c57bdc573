import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { clearTimeout, setTimeout } from "node:timers";
import { connectionFailure } from "../go/network-error.ts";
import { type RelayWaiting, relay } from "../lib/relay.ts";
import { type Destination, type OutgoingHead, sendRequest } from "./send-request.ts";

/** The client side of an upgraded connection. */
export interface UpgradedClient {
  readonly socket: Duplex;
  /** Bytes that the client already sent after its request. */
  readonly head: Buffer;
}

export interface UpgradeOptions {
  /** Timeout for the response to the upgrade request; 0 means none. */
  readonly timeoutMs: number;
  readonly stopping: AbortSignal;
  /** Called before the response of the other server is forwarded, with its status. */
  readonly started: (status: number) => void;
  /** Responds with an error as plain text. */
  readonly refuse: (status: number, text: string) => void;
  /** Counts what one of the sides does not read; `cut` closes the connection. */
  readonly waiting: (cut: () => void) => RelayWaiting;
}

const UNREACHABLE = 503;
const FIRST_ERROR = 400;
const SWITCHED = 101;

/**
 * Forwards a protocol upgrade. Once the other server accepts it, bytes are copied in both directions until one side disconnects. An error response of
 * the other server is forwarded; any other response is an error. Resolves when the connection is closed.
 */
export function proxyUpgrade(
  client: UpgradedClient,
  head: OutgoingHead,
  destination: Destination,
  { timeoutMs, stopping, started, refuse, waiting }: UpgradeOptions,
): Promise<void> {
  return new Promise((resolve) => {
    const { socket } = client;
    if (socket.destroyed) {
      resolve();
      return;
    }
    const outgoing = sendRequest(head, destination);
    const cut = (): void => {
      socket.destroy();
    };
    const deadline =
      timeoutMs > 0 ? setTimeout(() => outgoing.destroy(new Error("context deadline exceeded")), timeoutMs) : undefined;
    const over = (): void => {
      clearTimeout(deadline);
      stopping.removeEventListener("abort", cut);
      outgoing.destroy();
      resolve();
    };
    let isAnswered = false;
    const refuseOnce = (text: string): void => {
      if (!isAnswered) refuse(UNREACHABLE, text);
      isAnswered = true;
    };
    stopping.addEventListener("abort", cut, { once: true });
    socket.once("close", over);
    outgoing.on("error", (error) => {
      clearTimeout(deadline);
      refuseOnce(`error dialing backend: ${connectionFailure(error, destination.transport.options.serverName)}`);
    });
    outgoing.on("response", (incoming) => {
      clearTimeout(deadline);
      const { statusCode = 0 } = incoming;
      if (statusCode < FIRST_ERROR) {
        incoming.destroy();
        refuseOnce(`invalid upgrade response: status code ${statusCode}`);
        return;
      }
      isAnswered = true;
      started(statusCode);
      socket.write(headOf(incoming, "Connection: close\r\n"), "latin1");
      relay(incoming, socket, waiting(cut));
      incoming.on("error", cut);
    });
    outgoing.on("upgrade", (incoming, remote, rest) => {
      clearTimeout(deadline);
      isAnswered = true;
      started(SWITCHED);
      socket.write(headOf(incoming), "latin1");
      if (rest.length > 0) socket.write(rest);
      if (client.head.length > 0) remote.write(client.head);
      relay(remote, socket, waiting(cut));
      relay(socket, remote, waiting(cut));
      remote.on("error", cut);
      remote.once("close", cut);
      socket.once("close", () => remote.destroy());
    });
    outgoing.end();
  });
}

/** Returns the status line and headers of a response as received, with `more` appended to the headers. */
function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage, more = ""): string {
  let text = `HTTP/1.1 ${statusCode} ${statusMessage}\r\n`;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    // The end of an error response is marked by the end of the connection.
    if (more === "" || !/^(?:connection|keep-alive|transfer-encoding)$/i.test(name))
      text += `${name}: ${rawHeaders[index + 1]}\r\n`;
  }
  return `${text}${more}\r\n`;
}
