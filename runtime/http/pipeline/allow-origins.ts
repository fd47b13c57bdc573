import { type AppContext, type Next, rawResponse } from "./app-state.ts";

const HEADERS = {
  "Access-Control-Allow-Methods": "POST, GET, OPTIONS, PUT, DELETE, PATCH",
  "Access-Control-Allow-Headers":
    "Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since",
  "Access-Control-Expose-Headers": "Date",
  "Access-Control-Allow-Credentials": "true",
};

/** Whether an origin is allowed. */
export type OriginTest = (origin: string) => boolean;

/** Sets CORS headers for requests from allowed origins. These requests are authenticated and authorized like all others. */
export function allowOrigins(allows: readonly OriginTest[]) {
  return async (ctx: AppContext, next: Next): Promise<void> => {
    const { origin } = ctx.req.headers;
    if (origin === undefined || !allows.some((allow) => allow(origin))) {
      await next();
      return;
    }
    const { res } = ctx;
    res.setHeader("Access-Control-Allow-Origin", origin);
    for (const [name, value] of Object.entries(HEADERS)) res.setHeader(name, value);
    if (ctx.state.info.method === "OPTIONS") {
      rawResponse(ctx).writeHead(204).end();
      return;
    }
    await next();
  };
}
