import type { ServerResponse } from "node:http";
import { Socket } from "node:net";
import { createGzip, type Gzip, gzip } from "node:zlib";
import { Pacer } from "../lib/pacer.ts";
import { type AppContext, rawResponse } from "./app-state.ts";
import { type Chunk, ChunkWriter } from "./chunk-writer.ts";

/** Responses from this size on are compressed for clients that accept it. */
export const GZIP_THRESHOLD = 128 * 1024;
/** Bodies are sent in chunks of at most this size: each costs a call into TLS and the kernel. */
const LARGEST_CHUNK_BYTES = 128 * 1024;
const SMALLEST_CHUNK_BYTES = 4 * 1024;

export interface SendOptions {
  readonly status: number;
  readonly contentType: string;
  readonly compress: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a complete body. */
export async function sendBytes(ctx: AppContext, bytes: Uint8Array, options: SendOptions): Promise<void> {
  const res = rawResponse(ctx);
  setHeaders(ctx, options);
  let body = bytes;
  if (options.compress && bytes.length > GZIP_THRESHOLD && acceptsGzip(ctx)) {
    body = await compress(bytes);
    res.setHeader("Content-Encoding", "gzip");
    res.setHeader("Vary", "Accept-Encoding");
  }
  res.setHeader("Content-Length", body.length);
  res.writeHead(options.status);
  res.end(ctx.method === "HEAD" ? undefined : body);
}

/** A body that writes itself. */
export interface Body {
  /** Its length, as far as it is known before it is made; enough to decide about compression. */
  readonly size: number;
  /** Each step writes a piece, a few kilobytes as a rule. */
  write(out: ChunkWriter): Iterable<void>;
}

/** All of a body at once. */
export function bytesOf(body: Body): Buffer {
  const writer = new ChunkWriter(chunkBytesFor(body));
  for (const _ of body.write(writer));
  const chunks: Chunk[] = [];
  for (let full = writer.takeFull(); full !== undefined; full = writer.takeFull()) chunks.push(full);
  return Buffer.concat([...chunks, writer.takeLast()].map((chunk) => chunk.content()));
}

function chunkBytesFor({ size }: Body): number {
  return Math.min(LARGEST_CHUNK_BYTES, Math.max(SMALLEST_CHUNK_BYTES, size));
}

/** Sends a body as it is made, in bounded chunks and no faster than the client reads, letting others have their turn. */
export async function sendBody(ctx: AppContext, body: Body, options: SendOptions): Promise<void> {
  const res = rawResponse(ctx);
  setHeaders(ctx, options);
  const zipped = options.compress && body.size > GZIP_THRESHOLD && acceptsGzip(ctx);
  if (zipped) {
    res.setHeader("Content-Encoding", "gzip");
    res.setHeader("Vary", "Accept-Encoding");
  }
  res.writeHead(options.status);
  const writer = new ChunkWriter(chunkBytesFor(body));
  const out = zipped ? zip(res) : res;
  const pacer = new Pacer();
  // Streams within the process hand on the memory they are given; whoever reads there may keep it.
  const reuses = zipped || res.socket instanceof Socket;
  let begun = false;
  const send = async (chunk: Chunk): Promise<void> => {
    const giveBack = reuses ? () => writer.giveBack(chunk) : undefined;
    // Once the response has begun, chunks go straight to the connection, framed where they are: the response would copy
    // each to frame it, which costs more than making it.
    const { socket } = res;
    const direct = begun && !zipped && res.chunkedEncoding && socket !== null;
    begun = true;
    const flows = direct ? socket.write(chunk.framed(), giveBack) : out.write(chunk.content(), giveBack);
    if (!flows) {
      await drained(direct ? socket : out, res);
      pacer.rested();
    }
  };
  for (const _ of body.write(writer)) {
    for (let full = writer.takeFull(); full !== undefined; full = writer.takeFull()) {
      await send(full);
      if (res.destroyed) return;
    }
    if (pacer.isDue()) await pacer.rest();
  }
  for (let full = writer.takeFull(); full !== undefined; full = writer.takeFull()) await send(full);
  out.end(writer.takeLast().content());
}

function zip(res: ServerResponse): Gzip {
  const out = createGzip({ level: 1 });
  out.pipe(res);
  return out;
}

/** Resolves when a stream takes more, or when nobody reads it any more. */
export function drained(
  out: NodeJS.WritableStream,
  res: NodeJS.WritableStream & { destroyed: boolean },
): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      out.off("drain", done);
      res.off("close", done);
      resolve();
    };
    if (res.destroyed) {
      resolve();
      return;
    }
    out.once("drain", done);
    res.once("close", done);
  });
}

/** The headers every answer has. */
export function setHeaders(ctx: AppContext, options: Pick<SendOptions, "contentType" | "headers">): void {
  const { res } = ctx;
  res.setHeader("Audit-Id", ctx.state.auditId);
  res.setHeader("Cache-Control", "no-cache, private");
  if (options.contentType !== "") {
    res.setHeader("Content-Type", options.contentType);
  }
  if (ctx.state.warnings.size > 0) {
    res.setHeader("Warning", [...ctx.state.warnings].map(warningHeader));
  }
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    res.setHeader(name, value);
  }
}

/** `299 - "text"`: quotes escaped, what a header cannot carry replaced. */
export function warningHeader(text: string): string {
  const safe = text
    .replace(/\p{Cc}/gu, " ")
    .replace(/[^\u0020-\u007e]/g, (character) => encodeLatin(character))
    .replace(/["\\]/g, "\\$&");
  return `299 - "${safe}"`;
}

/** Bytes of UTF-8 as single characters: how a header carries them. */
function encodeLatin(character: string): string {
  return Buffer.from(character, "utf8").toString("latin1");
}

function acceptsGzip(ctx: AppContext): boolean {
  const header = ctx.req.headers["accept-encoding"];
  return typeof header === "string" && header.split(",").some((item) => item.trim().split(";")[0] === "gzip");
}

function compress(bytes: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gzip(bytes, { level: 1 }, (error, result) => (error ? reject(error) : resolve(result)));
  });
}
