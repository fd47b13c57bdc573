import { tooManyRequests } from "../contract/status.ts";
import type { AppContext, Next } from "./app-state.ts";

export interface InFlightLimits {
  /** Reads at a time; 0 is no limit. */
  readonly reads: number;
  /** Writes at a time; 0 is no limit. */
  readonly writes: number;
}

const READS = new Set(["get", "list", "head", "options"]);
const LONG_SUBRESOURCES = new Set(["attach", "exec", "portforward", "proxy", "log"]);
/** Administrators get through whatever the load. */
const EXEMPT_GROUP = "system:masters";

/** Refuses requests beyond the limits with 429. Watches and connections last long and are not counted. */
export function limitInFlight({ reads, writes }: InFlightLimits) {
  const running = { reads: 0, writes: 0 };
  const limited = async (ctx: AppContext, next: Next): Promise<void> => {
    const pool = READS.has(ctx.state.info.verb) ? "reads" : "writes";
    const limit = pool === "reads" ? reads : writes;
    if (limit > 0 && running[pool] >= limit) {
      ctx.state.terminated = true;
      throw tooManyRequests("Too many requests, please try again later.", 1);
    }
    running[pool] += 1;
    try {
      await next();
    } finally {
      running[pool] -= 1;
    }
  };
  return (ctx: AppContext, next: Next): Promise<unknown> => {
    const isExempt = isLongRunning(ctx) || ctx.state.user.groups.includes(EXEMPT_GROUP);
    return isExempt ? next() : limited(ctx, next);
  };
}

/** Watches, logs and connections. */
export function isLongRunning(ctx: AppContext): boolean {
  const { info } = ctx.state;
  return info.verb === "watch" || (info.isResource && LONG_SUBRESOURCES.has(info.subresource));
}
