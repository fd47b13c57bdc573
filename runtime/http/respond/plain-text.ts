import type { AppContext } from "../pipeline/app-state.ts";
import { sendBytes } from "./send.ts";

const TEXT = "text/plain; charset=utf-8";

export async function sendText(
  ctx: AppContext,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  await sendBytes(ctx, Buffer.from(text), {
    status,
    contentType: TEXT,
    compress: false,
    headers: { "X-Content-Type-Options": "nosniff", ...headers },
  });
}

/** Sends plain text with status 200, without `X-Content-Type-Options`. */
export async function sendPlainText(ctx: AppContext, text: string): Promise<void> {
  await sendBytes(ctx, Buffer.from(text), { status: 200, contentType: TEXT, compress: false });
}

/** Sends Kubernetes' plain-text 404 for paths outside of every API. It is not a Status. */
export async function textNotFound(ctx: AppContext): Promise<void> {
  await sendText(ctx, 404, "404 page not found\n");
}
