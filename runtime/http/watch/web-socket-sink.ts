import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import { threadPacer, underlying } from "../../lib/read-pacer.ts";
import { badRequest, forbidden } from "../../values/status-errors.ts";
import { type AppContext, rawResponse, type UpgradeRequest } from "../pipeline/app-state.ts";
import type { FrameSink } from "./watch-pump.ts";

/** Clients of a watch need not send messages: they are ignored, and large ones end the connection. */
const OPTIONS = {
  maxPayload: 64 * 1024,
  maxFragments: 64,
  perMessageDeflate: false,
  clientTracking: false,
  autoPong: false,
  /** Milliseconds in which the peer must respond to a close frame. */
  closeTimeout: 5_000,
};

type Upgrade = NonNullable<UpgradeRequest["upgrade"]>;

/** Whether a request asks for a WebSocket and can be upgraded to one. */
export function asksForWebSocket(req: UpgradeRequest): boolean {
  return typeof req.upgrade === "object" && req.headers.upgrade?.toLowerCase() === "websocket";
}

/**
 * Opens a WebSocket. Each frame is one message: text for JSON, binary otherwise. Throws 400 for an invalid handshake and, like Kubernetes, 403 without
 * an Origin header.
 */
export async function webSocketSink(ctx: AppContext, binary: boolean): Promise<FrameSink> {
  await checkOrigin(ctx.req.headers.origin ?? "");
  const { socket } = (ctx.req as UpgradeRequest).upgrade as Upgrade;
  const ws = await shakeHands(ctx.req as UpgradeRequest);
  rawResponse(ctx);
  ctx.state.trail?.starts(101);
  // On frames that violate the protocol, ws closes the connection itself.
  ws.on("error", () => undefined);
  answerPings(ws);
  const below = underlying(socket as Socket);
  for (const frame of ["ping", "pong", "message"]) ws.on(frame, () => threadPacer.count(below, socket as Socket));
  return {
    coding: "message",
    keepsFramesApart: true,
    get open() {
      return ws.readyState === ws.OPEN;
    },
    write: (frames) =>
      new Promise((resolve) => {
        for (const [index, frame] of frames.entries()) {
          ws.send(frame, { binary }, index === frames.length - 1 ? () => resolve() : undefined);
        }
      }),
    end: () => ws.close(),
    destroy: () => ws.terminate(),
    onClose: (listener) => ws.once("close", listener),
  };
}

async function checkOrigin(origin: string): Promise<void> {
  const { checkRequestUri } = await import("../../go/url.ts");
  try {
    checkRequestUri(origin);
  } catch (error) {
    throw forbidden({ group: "", resource: "" }, "", `WebSocket handshake: Origin header: ${(error as Error).message}`);
  }
}

/** Answers one ping at a time. Of the pings that arrive before a pong is written, only the last is answered (RFC 6455, 5.5.3). */
function answerPings(ws: WebSocket): void {
  let isWriting = false;
  let next: Buffer | undefined;
  const answer = (payload: Buffer): void => {
    if (isWriting) next = payload;
    else if (ws.readyState === ws.OPEN) {
      isWriting = true;
      ws.pong(payload, false, written);
    }
  };
  const written = (): void => {
    isWriting = false;
    const payload = next;
    next = undefined;
    if (payload !== undefined) answer(payload);
  };
  ws.on("ping", answer);
}

async function shakeHands(req: UpgradeRequest): Promise<WebSocket> {
  const { WebSocketServer } = await import("ws");
  const { socket, head } = req.upgrade as Upgrade;
  const server = new WebSocketServer({ ...OPTIONS, noServer: true, handleProtocols: chosenProtocol });
  return new Promise((resolve, reject) => {
    const gone = (): void =>
      reject(badRequest("the connection was closed before the WebSocket handshake was finished"));
    if (socket.destroyed) {
      gone();
      return;
    }
    socket.once("close", gone);
    server.once("wsClientError", (error) => {
      socket.off("close", gone);
      reject(badRequest(`WebSocket handshake: ${error.message}`));
    });
    server.handleUpgrade(req, socket, head, (ws) => {
      socket.off("close", gone);
      resolve(ws);
    });
  });
}

/** The first offered subprotocol, which browsers expect in the response, except one that contains a bearer token. */
function chosenProtocol(offered: ReadonlySet<string>): string | false {
  for (const protocol of offered) {
    if (!protocol.startsWith("base64url.bearer.authorization.")) return protocol;
  }
  return false;
}
