import { StatusError } from "../contract/status.ts";
import type { WatchAnswer } from "../handlers/answer.ts";
import type { CacheWatch } from "../watch/cache-watch.ts";
import { type AppContext, rawResponse, type UpgradeRequest } from "./app-state.ts";
import type { EncodingContext } from "./encode-object.ts";
import { streamTypeOf } from "./media-types.ts";
import type { WatchMetrics } from "./metrics/watch-metrics.ts";
import type { Representation } from "./negotiate.ts";
import { drained, setHeaders } from "./send.ts";
import { readIncludeObject } from "./table.ts";
import { createFramer } from "./watch-frames.ts";
import { type FrameSink, type PumpParts, WatchPump } from "./watch-pump.ts";
import { asksForWebSocket, webSocketSink } from "./web-socket-sink.ts";

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
  const { watch } = answer;
  try {
    const include = readIncludeObject(ctx.state.info.query);
    const sink = await openSink(ctx, representation, context);
    const framer = createFramer(answer.resource, representation, include, context, sink.coding);
    if (watch instanceof StatusError) {
      await sink.write([framer.error(watch.status)]);
      sink.end();
      return;
    }
    const { group, version, kind } = answer.resource.descriptor;
    const meter = context.watchMetrics.meterOf(group, version, kind);
    await pump(watch, sink, new WatchPump(watch, framer, sink, meter, context), context.stopping);
  } finally {
    if (!(watch instanceof StatusError)) watch.close();
  }
}

async function pump(watch: CacheWatch, sink: FrameSink, pumping: WatchPump, stopping: AbortSignal): Promise<void> {
  const close = (): void => watch.close();
  sink.onClose(close);
  stopping.addEventListener("abort", close, { once: true });
  if (stopping.aborted || !sink.open) close();
  try {
    await pumping.run();
  } finally {
    stopping.removeEventListener("abort", close);
    sink.end();
  }
}

async function openSink(ctx: AppContext, { format }: Representation, context: WatchContext): Promise<FrameSink> {
  const req = ctx.req as UpgradeRequest;
  if (asksForWebSocket(req)) return webSocketSink(ctx, format !== "json");
  // Nobody reads a connection that asked for another protocol and did not get it: its end would go unnoticed.
  if (typeof req.upgrade === "object") req.upgrade.socket.resume();
  return responseSink(ctx, streamTypeOf(context.types, format));
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
