import { StatusError } from "../contract/status.ts";
import type { WatchAnswer } from "../handlers/answer.ts";
import { type AppContext, rawResponse, type UpgradeRequest } from "./app-state.ts";
import type { EncodingContext } from "./encode-object.ts";
import { streamTypeOf } from "./media-types.ts";
import type { WatchMetrics } from "./metrics/watch-metrics.ts";
import type { Representation } from "./negotiate.ts";
import { drained, setHeaders } from "./send.ts";
import { readIncludeObject } from "./table.ts";
import { createFramer } from "./watch-frames.ts";
import { type FrameSink, type PumpParts, WatchPump } from "./watch-pump.ts";

export interface WatchContext extends EncodingContext, PumpParts {
  readonly stopping: AbortSignal;
  readonly watchMetrics: WatchMetrics;
}

/** Streams a watch until it ends, the client goes away or the server stops. */
export async function sendWatch(
  ctx: AppContext,
  answer: WatchAnswer,
  representation: Representation,
  context: WatchContext,
): Promise<void> {
  const include = readIncludeObject(ctx.state.info.query);
  const upgrade = (ctx.req as UpgradeRequest).upgrade;
  const sink = upgrade
    ? await webSocketSink(ctx, representation.format !== "json")
    : responseSink(ctx, streamTypeOf(context.types, representation.format));
  const framer = createFramer(answer.resource, representation, include, context, sink.coding);
  const { watch } = answer;
  const { stopping } = context;
  if (watch instanceof StatusError) {
    await sink.write([framer.error(watch.status)]);
    sink.end();
    return;
  }
  const close = (): void => watch.close();
  sink.onClose(close);
  stopping.addEventListener("abort", close, { once: true });
  if (stopping.aborted) close();
  try {
    const { group, version, kind } = answer.resource.descriptor;
    await new WatchPump(watch, framer, sink, context.watchMetrics.meterOf(group, version, kind), context).run();
  } finally {
    stopping.removeEventListener("abort", close);
    watch.close();
    sink.end();
  }
}

function responseSink(ctx: AppContext, contentType: string): FrameSink {
  const res = rawResponse(ctx);
  setHeaders(ctx, { contentType });
  res.writeHead(200);
  res.flushHeaders();
  ctx.state.trail?.starts(200);
  const { socket } = res;
  if (!res.chunkedEncoding || socket === null) {
    return {
      coding: "none",
      keepsFramesApart: false,
      get open() {
        return !res.destroyed;
      },
      write: (frames) => (res.write(joined(frames)) ? undefined : drained(res, res)),
      end: () => res.end(),
      onClose: (listener) => res.once("close", listener),
    };
  }
  // Frames come as chunks, shared by all watches, and go straight to the connection: with many watchers of one
  // resource the framing by the response itself would cost more than everything else this server does per event.
  return {
    coding: "chunked",
    keepsFramesApart: false,
    get open() {
      return !res.destroyed && !socket.destroyed;
    },
    write: (frames) => (socket.write(joined(frames)) ? undefined : drained(socket, socket)),
    end: () => res.end(),
    onClose: (listener) => res.once("close", listener),
  };
}

function joined(frames: readonly Uint8Array[]): Uint8Array {
  const [first] = frames;
  return frames.length === 1 && first !== undefined ? first : Buffer.concat(frames);
}

/** Each frame is one message: text for JSON, binary for the rest. */
/** Browsers want to hear which protocol it is; one that carries a token is none. */
function chosenProtocol(offered: ReadonlySet<string>): string | false {
  for (const protocol of offered) {
    if (!protocol.startsWith("base64url.bearer.authorization.")) return protocol;
  }
  return false;
}

async function webSocketSink(ctx: AppContext, binary: boolean): Promise<FrameSink> {
  const req = ctx.req as UpgradeRequest;
  rawResponse(ctx);
  const { WebSocketServer } = await import("ws");
  const server = new WebSocketServer({ noServer: true, handleProtocols: chosenProtocol });
  const { socket, head } = req.upgrade as NonNullable<UpgradeRequest["upgrade"]>;
  const ws = await new Promise<import("ws").WebSocket>((resolve) => {
    server.handleUpgrade(req, socket, head, resolve);
  });
  ctx.state.trail?.starts(101);
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
    onClose: (listener) => ws.once("close", listener),
  };
}
