import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { threadPacer, underlying } from "../lib/read-pacer.ts";

/** Responses of 1xx before the response itself. */
const MAX_INTERIM = 1000;

/** Reads the response of another server in turns with all other connections if it comes in tiny pieces, and limits its interim responses. */
export function paceAnswer(outgoing: ClientRequest): void {
  let interim = 0;
  outgoing.on("information", () => {
    interim += 1;
    if (interim > MAX_INTERIM) outgoing.destroy(new Error("too many interim responses"));
  });
  outgoing.once("response", (incoming: IncomingMessage) => {
    const { socket } = incoming;
    const below = underlying(socket);
    threadPacer.follow(incoming, () => {
      threadPacer.count(below, socket);
      return true;
    });
  });
  outgoing.once("upgrade", (_answer, socket) => threadPacer.followSocket(socket as Socket));
}
