import { refusal } from "../respond/refusal.ts";
import type { AppContext, Next } from "./app-state.ts";
import { type Budget, type BudgetOwner, budgetOwner } from "./budget.ts";
import type { Slots } from "./slots.ts";

/** Limits of requests in flight. */
export interface InFlightLimits {
  readonly reads: Slots;
  readonly writes: Slots;
  /** Watches, logs and connections. */
  readonly longRunning: Budget;
}

const READS = new Set(["get", "list", "head", "options"]);
const LONG_SUBRESOURCES = new Set(["attach", "exec", "portforward", "proxy", "log"]);
const HEALTH_CHECK = /^\/(?:healthz|livez|readyz)(?:\/|$)/;

/**
 * Rejects requests beyond the limits with 429. Long-running requests are counted separately. Requests of administrators are always
 * admitted, others if a slot is free.
 */
export function limitInFlight({ reads, writes, longRunning }: InFlightLimits) {
  const admitLong = async (ctx: AppContext, next: Next, owner: BudgetOwner): Promise<void> => {
    if (longRunning.take(owner, 1) !== undefined) throw refusal(ctx);
    try {
      await next();
    } finally {
      longRunning.giveBack(owner, 1);
    }
  };
  const admit = async (ctx: AppContext, next: Next, owner: BudgetOwner): Promise<void> => {
    const { state } = ctx;
    const slot = (READS.has(state.info.verb) ? reads : writes).take(owner);
    if (slot === undefined) throw refusal(ctx);
    state.slot = slot;
    try {
      await next();
    } finally {
      slot.end();
    }
  };
  return (ctx: AppContext, next: Next): Promise<unknown> => {
    const owner = ownerOf(ctx);
    ctx.state.owner = owner;
    if (isLongRunning(ctx)) return admitLong(ctx, next, owner);
    return owner.isExempt ? next() : admit(ctx, next, owner);
  };
}

/** The owner of the budgets to which a request is charged. Health checks count as requests of the system, for which slots are reserved. */
export function ownerOf({ state: { info, user } }: AppContext): BudgetOwner {
  const owner = budgetOwner(user);
  return !info.isResource && HEALTH_CHECK.test(info.path) ? { ...owner, isSystem: true } : owner;
}

/** Watches, logs, connections and profiles. */
export function isLongRunning(ctx: AppContext): boolean {
  const { info } = ctx.state;
  if (info.verb === "watch" || info.verb === "proxy") return true;
  return info.isResource ? LONG_SUBRESOURCES.has(info.subresource) : info.path.startsWith("/debug/pprof/");
}
