import { systemClock } from "../../lib/clock.ts";
import type { BudgetMetrics } from "../../metrics/budget-metrics.ts";
import type { BacklogBudget } from "../../watch/backlog-budget.ts";
import { WaitingReaders } from "../respond/waiting-readers.ts";
import { Budget } from "./budget.ts";
import { Slots } from "./slots.ts";

/** Limits on the use of the server by users; 0 means no limit. */
export interface BudgetConfig {
  /** Whether requests are queued by priority and fairness instead of being refused. */
  readonly fairness: boolean;
  /** Requests in flight. */
  readonly reads: number;
  readonly writes: number;
  /** Watches, logs and connections. */
  readonly longRunning: UserLimits;
  /** Bytes of request bodies that have not arrived completely. */
  readonly requestBodyBytes: UserLimits;
  /** Bytes of responses that clients have not read yet. */
  readonly responseBytes: UserLimits;
  /** Bytes of objects that watches have not sent yet. */
  readonly watchBacklogBytes: number;
}

export interface UserLimits {
  readonly perUser: number;
  readonly total: number;
}

/** The counters for these limits. */
export interface Budgets {
  readonly limits: { readonly reads: Slots; readonly writes: Slots; readonly longRunning: Budget };
  readonly arriving: Budget;
  readonly unread: Budget;
  readonly waitingReaders: WaitingReaders;
  /** Forwarded requests and connections, one side of which does not read. */
  readonly waitingRelays: WaitingReaders;
  collect(metrics: BudgetMetrics): void;
}

/** A watch whose client reads nothing for `progressTimeoutMs` is closed. */
export function createBudgets(config: BudgetConfig, progressTimeoutMs: number, backlog: BacklogBudget): Budgets {
  const reads = new Slots("reads", config.reads);
  const writes = new Slots("writes", config.writes);
  const longRunning = new Budget("longrunning_requests", config.longRunning);
  const arriving = new Budget("request_body_bytes", config.requestBodyBytes);
  const unread = new Budget("response_bytes", config.responseBytes);
  const monotonic = (): number => performance.now();
  const readers = { budget: unread, clock: systemClock, monotonic };
  const waitingReaders = new WaitingReaders({ ...readers, timeoutMs: progressTimeoutMs });
  // Connections have their own timeout for clients that do not read; a container may be in no hurry to.
  const waitingRelays = new WaitingReaders({ ...readers, timeoutMs: 0 });
  return {
    limits: { reads, writes, longRunning },
    arriving,
    unread,
    waitingReaders,
    waitingRelays,
    collect: (metrics) =>
      metrics.collect(
        [
          { counted: reads, limit: config.reads },
          { counted: writes, limit: config.writes },
          { counted: longRunning, limit: config.longRunning.total },
          { counted: arriving, limit: config.requestBodyBytes.total },
          { counted: unread, limit: config.responseBytes.total },
          {
            counted: { name: "watch_backlog_bytes", used: backlog.usedBytes, refusals: {} },
            limit: config.watchBacklogBytes,
          },
        ],
        { timeout: waitingReaders.timedOut, bytes: waitingReaders.outbid, backlog: backlog.overflowed },
      ),
  };
}
