import { createGzip } from "node:zlib";
import { type AppContext, rawResponse } from "../pipeline/app-state.ts";
import { Pacer } from "./pacer.ts";
import { acceptsGzip, drained, GZIP_THRESHOLD, isGone, type SendOptions, setCompressed, setHeaders } from "./send.ts";

/** Approximate number of bytes to write, and encrypt, in one call. */
const WRITE_BYTES = 256 * 1024;

/** Sends a body that is in memory in pieces, as fast as the client reads. Yields to other requests in between. */
export async function sendPieces(
  ctx: AppContext,
  pieces: readonly Uint8Array[],
  options: Omit<SendOptions, "unread">,
): Promise<void> {
  const res = rawResponse(ctx);
  const { state } = ctx;
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  const zipped = options.compress && size > GZIP_THRESHOLD && acceptsGzip(ctx);
  setHeaders(ctx, options);
  if (zipped) {
    setCompressed(res);
  } else {
    res.setHeader("Content-Length", size);
    state.sentBytes = size;
  }
  res.writeHead(options.status);
  if (state.info.method === "HEAD") {
    res.end();
    return;
  }
  const gzip = zipped ? createGzip({ level: 1 }) : undefined;
  gzip?.on("data", (piece: Buffer) => (state.sentBytes += piece.length));
  gzip?.pipe(res);
  const out = gzip ?? res;
  const pacer = new Pacer();
  for (const bytes of together(pieces)) {
    if (isGone(res)) break;
    if (out.write(bytes)) {
      if (pacer.isDue()) await pacer.rest();
      continue;
    }
    state.slot?.release();
    pacer.pause();
    await drained(out, res);
    state.slot?.resume();
    await pacer.resume();
  }
  if (isGone(res)) gzip?.destroy();
  else out.end();
}

/** The same bytes in buffers of up to `WRITE_BYTES`. */
function* together(pieces: readonly Uint8Array[]): Iterable<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += WRITE_BYTES) {
      const part = piece.subarray(at, at + WRITE_BYTES);
      if (size + part.length > WRITE_BYTES) {
        yield Buffer.concat(waiting);
        waiting = [];
        size = 0;
      }
      waiting.push(part);
      size += part.length;
    }
  }
  if (size > 0) yield Buffer.concat(waiting);
}
