import { parseDuration } from "../../go/duration.ts";
import type { Clock } from "../../lib/clock.ts";
import { badRequest, timeoutError } from "../../values/status-errors.ts";
import { cutShort } from "../respond/send.ts";
import type { AppContext, Next } from "./app-state.ts";
import { isLongRunning } from "./limit-in-flight.ts";

/**
 * Ends requests that take too long with 504. If the response has begun by then, it is aborted. A write is canceled unless it is already being
 * stored: the client must check. The server stops waiting for data from the client. Clients may set a shorter limit with `timeout=5s`, but not a
 * longer one. Long-running requests, such as watches and connections, are not limited.
 */
export function limitTime(milliseconds: number, clock: Clock) {
  return (ctx: AppContext, next: Next): Promise<unknown> => {
    const limit = isLongRunning(ctx) ? 0 : shorterOf(milliseconds, askedFor(ctx.state.info.query.get("timeout")));
    if (limit <= 0) return next();
    ctx.state.limitMs = limit;
    return new Promise((resolve, reject) => {
      const cancel = clock.after(limit, () => {
        ctx.state.terminated = true;
        if (ctx.res.headersSent) cutShort(ctx.res);
        else reject(timeoutError("request did not complete within the allotted timeout", 0));
        ctx.state.cancel?.();
      });
      next().then(
        () => {
          cancel();
          resolve(undefined);
        },
        (error) => {
          cancel();
          reject(error);
        },
      );
    });
  };
}

/** The shorter of two limits; 0 and negative numbers mean no limit. */
function shorterOf(most: number, asked: number): number {
  if (asked <= 0) return most;
  return most <= 0 ? asked : Math.min(most, asked);
}

/** The `timeout` parameter in milliseconds, not rounded; 0 if absent. Throws 400 if it is invalid. */
function askedFor(timeout: string | null): number {
  if (timeout === null || timeout === "") return 0;
  try {
    return Number(parseDuration(timeout)) / 1e6;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw badRequest(`invalid timeout specified in the request URL - ${why}`);
  }
}
