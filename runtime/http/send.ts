import { gzip } from "node:zlib";
import { type AppContext, rawResponse } from "./app-state.ts";
import { warningHeaders } from "./warning-headers.ts";

/** Responses from this size on are compressed for clients that accept it. */
export const GZIP_THRESHOLD = 128 * 1024;

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
  ctx.state.sentBytes = body.length;
  res.writeHead(options.status);
  res.end(ctx.state.info.method === "HEAD" ? undefined : body);
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
    const warnings = warningHeaders([...ctx.state.warnings]);
    if (warnings.length > 0) res.setHeader("Warning", warnings);
  }
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    res.setHeader(name, value);
  }
}

/** More than there are. */
const MOST_CODINGS = 20;

export function acceptsGzip(ctx: AppContext): boolean {
  const header = ctx.req.headers["accept-encoding"];
  return typeof header === "string" && header.split(",", MOST_CODINGS).some(isGzip);
}

/** `gzip`, unless its weight is nothing. */
function isGzip(item: string): boolean {
  const [name, ...parameters] = item.split(";", 2).map((part) => part.trim());
  return name === "gzip" && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
}

function compress(bytes: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gzip(bytes, { level: 1 }, (error, result) => (error ? reject(error) : resolve(result)));
  });
}
