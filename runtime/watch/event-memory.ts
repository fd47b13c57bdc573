import { BacklogBudget } from "./backlog-budget.ts";
import { DEFAULT_LIMITS, type WatchCacheLimits } from "./cache-limits.ts";
import { HistoryBudget } from "./history-budget.ts";
import { MemoBudget } from "./memo-budget.ts";

/** The memory budgets for events, shared by all caches. */
export interface EventMemory {
  readonly history: HistoryBudget;
  readonly frames: MemoBudget;
  /** Objects that watches have not sent yet. */
  readonly backlog: BacklogBudget;
}

export function newEventMemory(
  limits: Pick<WatchCacheLimits, "historyMs" | "historyBytes" | "frameBytes" | "backlogBytes"> = DEFAULT_LIMITS,
): EventMemory {
  return {
    history: new HistoryBudget({ maxAgeMs: limits.historyMs, maxBytes: limits.historyBytes }),
    frames: new MemoBudget(limits.frameBytes),
    backlog: new BacklogBudget(limits.backlogBytes),
  };
}
