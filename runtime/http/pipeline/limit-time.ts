import { parseDuration } from "../../go/duration.ts";
import type { Clock } from "../../lib/clock.ts";
import { badRequest, timeoutError } from "../../values/status-errors.ts";
import { cutShort } from "../respond/send.ts";
import type { AppContext, Next } from "./app-state.ts";
import { isLongRunning } from "./limit-in-flight.ts";

/**
 * Gives up on requests that take too long, with 504; an answer that is not read by then is cut short. What they were about
 * to do may still happen: a client that hears this must look. Nothing is waited for any more that the client would have to
 * send. Clients may ask for less with `timeout=5s`, not for more. Watches and connections are not limited.
 */
export function limitTime(milliseconds: number, clock: Clock) {
  return (ctx: AppContext, next: Next): Promise<unknown> => {
    const limit = isLongRunning(ctx) ? 0 : shorterOf(milliseconds, askedFor(ctx.state.info.query.get("timeout")));
    if (limit <= 0) return next();
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

/** In milliseconds, never 0 of a time that was asked for. Throws 400. */
function askedFor(timeout: string | null): number {
  if (timeout === null || timeout === "") return 0;
  try {
    return Number(parseDuration(timeout)) / 1e6;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw badRequest(`invalid timeout specified in the request URL - ${why}`);
  }
}
