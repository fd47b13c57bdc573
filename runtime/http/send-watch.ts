import { WebSocketServer } from "ws";
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
import { createFramer, type WatchFramer } from "./watch-frames.ts";

/** Where frames go: a response or a WebSocket. */
interface FrameSink {
  /** Resolves when more may be written; false when nobody listens any more. */
  write(frame: Uint8Array): Promise<boolean> | boolean;
  end(): void;
  onClose(listener: () => void): void;
}

const READ_LIMIT = 256;

/** Streams a watch until it ends, the client goes away or the server stops. */
export async function sendWatch(
  ctx: AppContext,
  answer: WatchAnswer,
  representation: Representation,
  context: EncodingContext,
  stopping: AbortSignal,
): Promise<void> {
  const framer = createFramer(answer.resource, representation, readIncludeObject(ctx.state.query), context);
  const upgrade = (ctx.req as UpgradeRequest).upgrade;
  const sink = upgrade
    ? await webSocketSink(ctx.req as UpgradeRequest, representation.format !== "json")
    : responseSink(ctx, streamTypeOf(context.types, representation.format));
  const { watch } = answer;
  if (watch instanceof StatusError) {
    await sink.write(framer.error(watch.status));
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
    for (const notice of notices) {
      const accepted = sink.write(framer.frame(notice));
      if (!(typeof accepted === "boolean" ? accepted : await accepted)) {
        return;
      }
    }
    if (notices.length > 0) {
      continue;
    }
    if (watch.ended !== undefined) {
      if (watch.ended.error !== undefined) {
        await sink.write(framer.error(toStatusError(watch.ended.error).status));
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
  return {
    async write(frame) {
      if (res.destroyed) {
        return false;
      }
      if (!res.write(frame)) {
        await drained(res, res);
      }
      return !res.destroyed;
    },
    end: () => res.end(),
    onClose: (listener) => res.once("close", listener),
  };
}

/** Each frame is one message: text for JSON, binary for the rest. */
async function webSocketSink(req: UpgradeRequest, binary: boolean): Promise<FrameSink> {
  const server = new WebSocketServer({ noServer: true, handleProtocols: () => false });
  const { socket, head } = req.upgrade as NonNullable<UpgradeRequest["upgrade"]>;
  const ws = await new Promise<import("ws").WebSocket>((resolve) => {
    server.handleUpgrade(req, socket, head, resolve);
  });
  return {
    write: (frame) =>
      new Promise((resolve) => {
        ws.send(frame, { binary }, (error) => resolve(error === undefined || error === null));
      }),
    end: () => ws.close(),
    onClose: (listener) => ws.once("close", listener),
  };
}
