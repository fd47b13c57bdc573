import { StatusError } from "../contract/status.ts";
import type { WatchAnswer } from "../handlers/answer.ts";
import { toStatusError } from "../handlers/translate-errors.ts";
import type { CacheWatch } from "../watch/cache-watch.ts";
import { type AppContext, rawResponse, type UpgradeRequest } from "./app-state.ts";
import type { EncodingContext } from "./encode-object.ts";
import { streamTypeOf } from "./media-types.ts";
import type { Representation } from "./negotiate.ts";
import { drained, setHeaders } from "./send.ts";
import { readIncludeObject } from "./table.ts";
import { createFramer, type TransferCoding, type WatchFramer } from "./watch-frames.ts";

/** Where frames go: a response or a WebSocket. */
interface FrameSink {
  /** How frames are wrapped for their way; done where they are made, once for all watches. */
  readonly coding: TransferCoding;
  /** False when nobody listens any more. */
  readonly open: boolean;
  /** Takes frames; a promise when the reader is behind, which resolves when more may be written. */
  write(frames: readonly Uint8Array[]): Promise<void> | undefined;
  end(): void;
  onClose(listener: () => void): void;
}

/** Frames that are sent together at most. */
const READ_LIMIT = 64;

/** Streams a watch until it ends, the client goes away or the server stops. */
export async function sendWatch(
  ctx: AppContext,
  answer: WatchAnswer,
  representation: Representation,
  context: EncodingContext,
  stopping: AbortSignal,
): Promise<void> {
  const include = readIncludeObject(ctx.state.query);
  const upgrade = (ctx.req as UpgradeRequest).upgrade;
  const sink = upgrade
    ? await webSocketSink(ctx.req as UpgradeRequest, representation.format !== "json")
    : responseSink(ctx, streamTypeOf(context.types, representation.format));
  const framer = createFramer(answer.resource, representation, include, context, sink.coding);
  const { watch } = answer;
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
    await pump(watch, framer, sink);
  } finally {
    stopping.removeEventListener("abort", close);
    watch.close();
    sink.end();
  }
}

async function pump(watch: CacheWatch, framer: WatchFramer, sink: FrameSink): Promise<void> {
  let wake: () => void = () => undefined;
  watch.onReadable(() => wake());
  for (;;) {
    const readable = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const notices = watch.read(READ_LIMIT);
    if (notices.length > 0) {
      const behind = sink.write(notices.map((notice) => framer.frame(notice)));
      if (behind !== undefined) {
        await behind;
      }
      if (!sink.open) {
        return;
      }
      continue;
    }
    if (watch.ended !== undefined) {
      if (watch.ended.error !== undefined) {
        await sink.write([framer.error(toStatusError(watch.ended.error).status)]);
      }
      return;
    }
    await readable;
  }
}

function responseSink(ctx: AppContext, contentType: string): FrameSink {
  const res = rawResponse(ctx);
  setHeaders(ctx, { contentType });
  res.writeHead(200);
  res.flushHeaders();
  const { socket } = res;
  if (!res.chunkedEncoding || socket === null) {
    return {
      coding: "none",
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
async function webSocketSink(req: UpgradeRequest, binary: boolean): Promise<FrameSink> {
  const { WebSocketServer } = await import("ws");
  const server = new WebSocketServer({ noServer: true, handleProtocols: () => false });
  const { socket, head } = req.upgrade as NonNullable<UpgradeRequest["upgrade"]>;
  const ws = await new Promise<import("ws").WebSocket>((resolve) => {
    server.handleUpgrade(req, socket, head, resolve);
  });
  return {
    coding: "none",
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
