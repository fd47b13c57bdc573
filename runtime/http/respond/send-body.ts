import type { ServerResponse } from "node:http";
import { Socket } from "node:net";
import { createGzip, type Gzip } from "node:zlib";
import { type AppContext, rawResponse } from "../pipeline/app-state.ts";
import type { ChunkPool } from "./chunk-pool.ts";
import { type Chunk, ChunkWriter } from "./chunk-writer.ts";
import type { Pacer } from "./pacer.ts";
import { acceptsGzip, drained, GZIP_THRESHOLD, isGone, type SendOptions, setCompressed, setHeaders } from "./send.ts";

/** A body that is written piece by piece. */
export interface Body {
  /** Approximate length, sufficient to decide about compression. */
  readonly size: number;
  /** Each step writes a piece, usually a few kilobytes. A yielded promise must resolve before the next step, whose data is in memory only then. */
  write(out: ChunkWriter): Iterable<Promise<void> | void>;
}

/** Writes a body into one buffer. */
export function bytesOf(body: Body, pool: ChunkPool): Buffer {
  const writer = new ChunkWriter(pool.chunksFor(body.size));
  for (const _ of body.write(writer));
  const chunks = [...writer.takeFull(), writer.takeLast()];
  const bytes = Buffer.concat(chunks.map((chunk) => chunk.content()));
  for (const chunk of chunks) writer.giveBack(chunk);
  return bytes;
}

/** Sends a body while it is being written, in bounded chunks and no faster than the client reads. Yields to other requests. */
export async function sendBody(
  ctx: AppContext,
  body: Body,
  options: SendOptions,
  { pool, pacer }: { readonly pool: ChunkPool; readonly pacer: Pacer },
): Promise<void> {
  const res = rawResponse(ctx);
  setHeaders(ctx, options);
  const zipped = options.compress && body.size > GZIP_THRESHOLD && acceptsGzip(ctx);
  if (zipped) {
    setCompressed(res);
  }
  res.writeHead(options.status);
  const writer = new ChunkWriter(pool.chunksFor(body.size));
  const { state } = ctx;
  const out = zipped ? zip(res, (bytes) => (state.sentBytes += bytes)) : res;
  // Streams within the process pass on the memory that is written to them, and their readers may keep it.
  const givesBack = zipped || res.socket instanceof Socket;
  // After an error, the chunk may still be in use.
  const giverBack = (chunk: Chunk) =>
    givesBack ? (error?: Error | null) => void (error || writer.giveBack(chunk)) : undefined;
  let begun = false;
  const send = async (chunk: Chunk): Promise<void> => {
    const { socket } = res;
    // Chunks are framed in place and written directly to the connection. The response would copy each chunk to frame it, which costs more
    // than filling it.
    const direct = !zipped && res.chunkedEncoding && socket !== null;
    if (direct && !begun) res.flushHeaders();
    begun = true;
    if (!zipped) state.sentBytes += chunk.length;
    const flows = direct
      ? socket.write(chunk.framed(), giverBack(chunk))
      : out.write(chunk.content(), giverBack(chunk));
    if (flows) return;
    state.slot?.release();
    pacer.pause();
    await drained(direct ? socket : out, res);
    state.slot?.resume();
    await pacer.resume();
  };
  for (const step of body.write(writer)) {
    for (const chunk of writer.takeFull()) await send(chunk);
    if (isGone(res)) break;
    if (step !== undefined) await pacer.outside(() => step);
    if (pacer.isDue()) await pacer.rest();
  }
  if (isGone(res)) {
    if (zipped) (out as Gzip).destroy();
    return;
  }
  for (const chunk of writer.takeFull()) await send(chunk);
  const last = writer.takeLast();
  if (!zipped) state.sentBytes += last.length;
  out.end(last.content(), giverBack(last));
  pacer.pause();
}

function zip(res: ServerResponse, onBytes: (bytes: number) => void): Gzip {
  const out = createGzip({ level: 1 });
  out.on("data", (piece: Buffer) => onBytes(piece.length));
  out.pipe(res);
  return out;
}
