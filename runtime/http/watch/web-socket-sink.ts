import type { WebSocket } from "ws";
import { checkRequestUri } from "../../go/url.ts";
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
/** Pings get a pong only while fewer bytes than this wait for the peer. */
const MAX_WAITING_FOR_PONG = 64 * 1024;

/** Whether a request asks for a WebSocket and can be upgraded to one. */
export function asksForWebSocket(req: UpgradeRequest): boolean {
  return typeof req.upgrade === "object" && req.headers.upgrade?.toLowerCase() === "websocket";
}

/**
 * Opens a WebSocket. Each frame is one message: text for JSON, binary otherwise. Throws 400 for an invalid handshake and, like Kubernetes, 403 without
 * an Origin header.
 */
export async function webSocketSink(ctx: AppContext, binary: boolean): Promise<FrameSink> {
  checkOrigin(ctx.req.headers.origin ?? "");
  const ws = await shakeHands(ctx.req as UpgradeRequest);
  rawResponse(ctx);
  ctx.state.trail?.starts(101);
  // On frames that violate the protocol, ws closes the connection itself.
  ws.on("error", () => undefined);
  ws.on("ping", (payload) => {
    if (ws.readyState === ws.OPEN && ws.bufferedAmount < MAX_WAITING_FOR_PONG) ws.pong(payload);
  });
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

function checkOrigin(origin: string): void {
  try {
    checkRequestUri(origin);
  } catch (error) {
    throw forbidden({ group: "", resource: "" }, "", `WebSocket handshake: Origin header: ${(error as Error).message}`);
  }
}

async function shakeHands(req: UpgradeRequest): Promise<WebSocket> {
  const { WebSocketServer } = await import("ws");
  const { socket, head } = req.upgrade as NonNullable<UpgradeRequest["upgrade"]>;
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
