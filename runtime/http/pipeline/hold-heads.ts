import { refusal } from "../respond/refusal.ts";
import type { AppContext, Next } from "./app-state.ts";
import { type Budget, budgetOwner } from "./budget.ts";

/** Memory of a parsed URL, as a multiple of its length: each requirement of a selector and each parameter is an object. */
const URL_FACTOR = 50;
/** Memory of headers, as a multiple of their length: Node keeps the strings and the buffer from which it read them. */
const HEADER_FACTOR = 2;
/** Requests with less than this, nearly all of them, are not counted. */
const USUAL_BYTES = 64 * 1024;

/**
 * Counts the memory of large URLs and headers for as long as their requests last: a user may have thousands of open watches and queued
 * requests. Throws 429 beyond the limits.
 */
export function holdHeads(arriving: Budget) {
  const held = async (ctx: AppContext, next: Next, bytes: number): Promise<void> => {
    const owner = budgetOwner(ctx.state.user);
    if (arriving.take(owner, bytes) !== undefined) throw refusal(ctx);
    try {
      await next();
    } finally {
      arriving.giveBack(owner, bytes);
    }
  };
  return (ctx: AppContext, next: Next): Promise<unknown> => {
    const bytes = headBytes(ctx);
    return bytes <= USUAL_BYTES ? next() : held(ctx, next, bytes);
  };
}

function headBytes({ req, state }: AppContext): number {
  let headers = 0;
  for (const text of req.rawHeaders) headers += text.length;
  return state.info.uri.length * URL_FACTOR + headers * HEADER_FACTOR;
}
