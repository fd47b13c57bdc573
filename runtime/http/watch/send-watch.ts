import type { ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import { clearTimeout, setTimeout } from "node:timers";
import { StatusError } from "../../contract/status.ts";
import type { WatchAnswer } from "../../handlers/answer.ts";
import type { WatchMetrics } from "../../metrics/watch-metrics.ts";
import type { CacheWatch } from "../../watch/cache-watch.ts";
import { streamTypeOf } from "../negotiate/media-types.ts";
import type { Representation } from "../negotiate/negotiate.ts";
import { type AppContext, rawResponse, type UpgradeRequest } from "../pipeline/app-state.ts";
import { cutShort, drained, isGone, setHeaders } from "../respond/send.ts";
import { readIncludeObject } from "../respond/table.ts";
import type { Write } from "./frame-joiner.ts";
import type { TransferCoding } from "./frame-pieces.ts";
import type { FramingContext } from "./watch-frames.ts";
import { type FrameSink, type PumpParts, WatchPump } from "./watch-pump.ts";
import { asksForWebSocket, webSocketSink } from "./web-socket-sink.ts";

export interface WatchContext extends FramingContext, PumpParts {
  readonly openWatches: OpenWatches;
  readonly watchMetrics: WatchMetrics;
}

/** The watches to close when the server stops. They share one listener on the signal: adding a listener makes a signal scan all existing ones. */
export class OpenWatches {
  readonly #stopping: AbortSignal;
  readonly #watches = new Set<CacheWatch>();

  constructor(stopping: AbortSignal) {
    this.#stopping = stopping;
    stopping.addEventListener("abort", () => this.#closeAll(), { once: true });
  }

  /** Adds a watch. Closes it at once if the server is stopping. */
  add(watch: CacheWatch): void {
    if (this.#stopping.aborted) watch.close();
    else this.#watches.add(watch);
  }

  remove(watch: CacheWatch): void {
    this.#watches.delete(watch);
  }

  #closeAll(): void {
    for (const watch of this.#watches) watch.close();
  }
}

/** Streams a watch until it ends, the client disconnects or the server stops. */
export async function sendWatch(
  ctx: AppContext,
  answer: WatchAnswer,
  representation: Representation,
  context: WatchContext,
): Promise<void> {
  const { watch } = answer;
  try {
    const isTable = representation.transform?.kind === "Table";
    const include = isTable ? readIncludeObject(ctx.state.info.query) : "Metadata";
    const sink = await openSink(ctx, representation, context);
    const { loadFramer } = await import("./watch-frames.ts");
    const { resource } = answer;
    const framer = await loadFramer({ resource, representation, include, context, coding: sink.coding });
    if (watch instanceof StatusError) {
      await sink.write([framer.error(watch.status)]);
      sink.end();
      return;
    }
    const meter = context.watchMetrics.meterOf(resource.descriptor);
    const pumping = new WatchPump(watch, framer, sink, meter, ctx.state.owner, context);
    await pump(watch, sink, () => pumping.run(() => ctx.state.slot?.end()), context.openWatches);
  } finally {
    if (!(watch instanceof StatusError)) watch.close();
  }
}

async function pump(
  watch: CacheWatch,
  sink: FrameSink,
  run: () => Promise<void>,
  openWatches: OpenWatches,
): Promise<void> {
  const close = (): void => watch.close();
  sink.onClose(close);
  openWatches.add(watch);
  if (!sink.open) close();
  try {
    await run();
  } finally {
    openWatches.remove(watch);
    sink.end();
  }
}

async function openSink(ctx: AppContext, { format }: Representation, context: WatchContext): Promise<FrameSink> {
  const req = ctx.req as UpgradeRequest;
  if (asksForWebSocket(req)) return webSocketSink(ctx, format !== "json");
  // The socket of an upgrade request that is not upgraded is not read: without `resume`, its end would go unnoticed.
  if (typeof req.upgrade === "object") req.upgrade.socket.resume();
  return responseSink(ctx, streamTypeOf(context.types, format), context.waitingReaders.timeoutMs);
}

function responseSink(ctx: AppContext, contentType: string, timeoutMs: number): FrameSink {
  const res = rawResponse(ctx);
  setHeaders(ctx, { contentType });
  res.writeHead(200);
  res.flushHeaders();
  ctx.state.trail?.starts(200);
  const { socket } = res;
  if (!res.chunkedEncoding || socket === null) return new ResponseSink(res, res, "none", timeoutMs);
  // Frames are made as chunks, shared by all watches, and written directly to the connection. With many watchers of one resource, framing
  // by the response itself would cost more than all other work per event.
  return new ResponseSink(res, socket, "chunked", timeoutMs);
}

/** A class rather than an object literal: V8 would give each literal with a getter its own shape, and look up all its members in each flush. */
class ResponseSink implements FrameSink {
  readonly coding: TransferCoding;
  readonly keepsFramesApart = false;
  readonly #res: ServerResponse;
  readonly #out: Writable;
  readonly #timeoutMs: number;

  constructor(res: ServerResponse, out: Writable, coding: TransferCoding, timeoutMs: number) {
    this.coding = coding;
    this.#res = res;
    this.#out = out;
    this.#timeoutMs = timeoutMs;
  }

  get open(): boolean {
    return !isGone(this.#res) && !this.#out.destroyed;
  }

  write(frames: Write): Promise<void> | undefined {
    const out = this.#out;
    let flows = true;
    if (frames.length > 1) out.cork();
    for (const frame of frames) flows = out.write(frame);
    if (frames.length > 1) out.uncork();
    return flows ? undefined : drained(out, out);
  }

  end(): void {
    endWithin(this.#res, this.#timeoutMs);
  }

  destroy(): void {
    cutShort(this.#res);
  }

  onClose(listener: () => void): void {
    this.#res.once("close", listener);
  }
}

/** Ends the response, and aborts it if the client does not read the rest within the timeout (0: no timeout). */
function endWithin(res: ServerResponse, timeoutMs: number): void {
  res.end();
  if (timeoutMs <= 0 || res.writableFinished || isGone(res)) return;
  const timer = setTimeout(() => cutShort(res), timeoutMs);
  timer.unref();
  res.once("close", () => clearTimeout(timer));
}
