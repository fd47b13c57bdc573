import { createGzip, gzip } from "node:zlib";
import { Pacer } from "../lib/pacer.ts";
import { type AppContext, rawResponse } from "./app-state.ts";

/** Responses from this size on are compressed for clients that accept it. */
export const GZIP_THRESHOLD = 128 * 1024;
/** Pieces are joined to chunks of at most this size: each costs a call into TLS and the kernel. */
const LARGEST_CHUNK_BYTES = 128 * 1024;
const SMALLEST_CHUNK_BYTES = 4 * 1024;
/** What one UTF-16 unit takes at most in UTF-8. */
const MOST_BYTES_PER_UNIT = 3;

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

/** A piece of a body; strings are written as UTF-8. */
export type Piece = Uint8Array | string;

/**
 * Sends pieces as they come, in bounded chunks and no faster than the client reads, letting others have their turn in
 * between. `size` is the length of all of them, where it is known.
 */
export async function sendPieces(
  ctx: AppContext,
  pieces: Iterable<Piece>,
  size: number,
  options: SendOptions,
): Promise<void> {
  const res = rawResponse(ctx);
  setHeaders(ctx, options);
  const zipped = options.compress && size > GZIP_THRESHOLD && acceptsGzip(ctx);
  if (zipped) {
    res.setHeader("Content-Encoding", "gzip");
    res.setHeader("Vary", "Accept-Encoding");
  }
  res.writeHead(options.status);
  const out = zipped ? createGzip({ level: 1 }) : res;
  if (zipped) {
    out.pipe(res);
  }
  const pacer = new Pacer();
  const write = async (chunk: Uint8Array): Promise<void> => {
    if (!out.write(chunk)) {
      await drained(out, res);
      pacer.rested();
    }
  };
  const chunkBytes = Math.min(LARGEST_CHUNK_BYTES, Math.max(SMALLEST_CHUNK_BYTES, size));
  let chunk = Buffer.allocUnsafeSlow(chunkBytes);
  let used = 0;
  const flush = async (): Promise<void> => {
    const full = chunk.subarray(0, used);
    chunk = Buffer.allocUnsafeSlow(chunkBytes);
    used = 0;
    await write(full);
  };
  for (const piece of pieces) {
    const most = typeof piece === "string" ? piece.length * MOST_BYTES_PER_UNIT : piece.length;
    if (used > 0 && used + most > chunkBytes) {
      await flush();
    }
    if (res.destroyed) {
      return;
    }
    if (most > chunkBytes) {
      await write(typeof piece === "string" ? Buffer.from(piece) : piece);
    } else if (typeof piece === "string") {
      used += chunk.write(piece, used);
    } else {
      chunk.set(piece, used);
      used += piece.length;
    }
    if (pacer.isDue()) {
      await pacer.rest();
    }
  }
  if (used > 0) {
    await write(chunk.subarray(0, used));
  }
  out.end();
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
