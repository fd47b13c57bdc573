import type { ServerResponse } from "node:http";
import { gzip } from "node:zlib";
import { type AppContext, rawResponse } from "../pipeline/app-state.ts";
import type { Budget } from "../pipeline/budget.ts";
import { isHttp2 } from "../transport/is-http2.ts";
import { refusal } from "./refusal.ts";
import { warningHeaders } from "./warning-headers.ts";

/** Responses above this size are compressed for clients that accept it. */
export const GZIP_THRESHOLD = 128 * 1024;

export interface SendOptions {
  readonly status: number;
  readonly contentType: string;
  readonly compress: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Budget for bytes that clients have not read yet. */
  readonly unread?: Budget;
}

/**
 * Sending a body of at least this size waits until the client has received it. Smaller bodies fit into the buffers of a connection, which
 * many HTTP/2 streams share.
 */
const LARGE_BODY_BYTES = 64 * 1024;
const LARGE_STREAM_BODY_BYTES = 4 * 1024;

/** Sends a complete body. */
export async function sendBytes(ctx: AppContext, bytes: Uint8Array, options: SendOptions): Promise<void> {
  const res = rawResponse(ctx);
  setHeaders(ctx, options);
  let body = bytes;
  if (options.compress && bytes.length > GZIP_THRESHOLD && acceptsGzip(ctx)) {
    body = await compress(bytes);
    setCompressed(res);
  }
  const giveBack = holdUnread(ctx, body.length, options.unread);
  res.setHeader("Content-Length", body.length);
  ctx.state.sentBytes = body.length;
  res.writeHead(options.status);
  if (ctx.state.info.method === "HEAD") res.end();
  else if (body.length <= SLICE_BYTES) res.end(body);
  else await sendSlices(ctx, res, body);
  if (giveBack === undefined) return;
  ctx.state.slot?.release();
  await finished(res);
  giveBack();
}

/** Bytes that are encrypted in one turn of the event loop. */
const SLICE_BYTES = 512 * 1024;

/** Sends a long body as fast as the client reads, and ends the response. */
async function sendSlices({ state }: AppContext, res: ServerResponse, body: Uint8Array): Promise<void> {
  for (let at = 0; at < body.length && !isGone(res); at += SLICE_BYTES) {
    if (res.write(body.subarray(at, at + SLICE_BYTES))) continue;
    state.slot?.release();
    await drained(res, res);
    state.slot?.resume();
  }
  res.end();
}

/**
 * Charges the bytes of a large body to the user of the request until the returned function is called. Returns undefined for small bodies.
 * Throws 429 if the user has too many unread bytes.
 */
export function holdUnread(ctx: AppContext, bytes: number, unread: Budget | undefined): (() => void) | undefined {
  if (bytes < (isHttp2(ctx.req) ? LARGE_STREAM_BODY_BYTES : LARGE_BODY_BYTES)) return undefined;
  const { owner } = ctx.state;
  if (unread === undefined) return () => undefined;
  if (unread.take(owner, bytes) !== undefined) throw refusal(ctx);
  return () => unread.giveBack(owner, bytes);
}

/** Resolves when all bytes of an ended response have been passed to the network, or the client has disconnected. */
export function finished(res: ServerResponse): Promise<void> {
  if (res.writableFinished || isGone(res)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      res.off("finish", done);
      res.off("close", done);
      resolve();
    };
    res.once("finish", done);
    res.once("close", done);
  });
}

/** Whether the client of a response has disconnected. Node does not set `destroyed` on responses of HTTP/2. */
export function isGone(res: Gone): boolean {
  return res.destroyed === true || res.stream?.closed === true || res.stream?.destroyed === true;
}

/** Error code of HTTP/2. */
const INTERNAL_ERROR = 2;

/** Aborts a response and drops the data that the client has not read. The response must not look complete to the client. */
export function cutShort(res: ServerResponse): void {
  const { stream } = res as { readonly stream?: { close(code: number): void } };
  if (stream === undefined) res.destroy();
  else stream.close(INTERNAL_ERROR);
}

/** A response, or a socket. */
interface Gone {
  readonly destroyed?: boolean;
  /** Present in HTTP/2. */
  readonly stream?: { readonly closed: boolean; readonly destroyed: boolean };
}

/** Resolves when a stream accepts more data, or its client has disconnected. */
export function drained(out: NodeJS.WritableStream, res: NodeJS.WritableStream & Gone): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      out.off("drain", done);
      res.off("close", done);
      resolve();
    };
    if (isGone(res)) {
      resolve();
      return;
    }
    out.once("drain", done);
    res.once("close", done);
  });
}

/** Sets the headers of a compressed response. Keeps other names in its Vary header. */
export function setCompressed(res: AppContext["res"]): void {
  res.setHeader("Content-Encoding", "gzip");
  const names = String(res.getHeader("Vary") ?? "")
    .split(", ")
    .filter(Boolean);
  res.setHeader("Vary", [...new Set([...names, "Accept-Encoding"])].join(", "));
}

/** Sets the headers of every response. */
export function setHeaders(ctx: AppContext, options: Pick<SendOptions, "contentType" | "headers">): void {
  const { res } = ctx;
  res.setHeader("Audit-Id", ctx.state.auditId);
  res.setHeader("Cache-Control", "no-cache, private");
  if (options.contentType !== "") {
    res.setHeader("Content-Type", options.contentType);
  }
  if (ctx.state.warnings.size > 0) {
    const warnings = warningHeaders([...ctx.state.warnings]);
    if (warnings.length > 0) res.setHeader("Warning", warnings);
  }
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    res.setHeader(name, value);
  }
}

/** More content codings than exist. */
const MOST_CODINGS = 20;

export function acceptsGzip(ctx: AppContext): boolean {
  const header = ctx.req.headers["accept-encoding"];
  return typeof header === "string" && header.split(",", MOST_CODINGS).some(isGzip);
}

/** Whether the coding is `gzip` with a weight other than 0. */
function isGzip(item: string): boolean {
  const [name, ...parameters] = item.split(";", 2).map((part) => part.trim());
  return name === "gzip" && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
}

function compress(bytes: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gzip(bytes, { level: 1 }, (error, result) => (error ? reject(error) : resolve(result)));
  });
}
