import { timeoutError } from "../contract/status.ts";
import type { Clock } from "../lib/clock.ts";
import type { AppContext, Next } from "./app-state.ts";
import { isLongRunning } from "./limit-in-flight.ts";

/**
 * Gives up on requests that take too long, with 504. What they were about to do may still happen: a client that hears
 * this must look. Watches and connections are not limited.
 */
export function limitTime(milliseconds: number, clock: Clock) {
  return async (ctx: AppContext, next: Next): Promise<void> => {
    if (milliseconds <= 0 || isLongRunning(ctx)) {
      await next();
      return;
    }
    let cancel: () => void = () => undefined;
    const late = new Promise<never>((_resolve, reject) => {
      cancel = clock.after(milliseconds, () => {
        if (!ctx.res.headersSent) {
          reject(timeoutError("request did not complete within the allotted timeout", 0));
        }
      });
    });
    try {
      await Promise.race([next(), late]);
    } finally {
      cancel();
    }
  };
}
