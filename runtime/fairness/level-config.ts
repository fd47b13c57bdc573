import type { LevelShares } from "./allocate-seats.ts";
import type { PriorityLevelObject } from "./configuration.ts";

/** The configuration of a priority level, read from its object. */
export interface LevelConfig extends LevelShares {
  readonly name: string;
  readonly uid: string;
  readonly isExempt: boolean;
  /** 0 rejects requests beyond the limit immediately. */
  readonly queues: number;
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

const DEFAULT_SHARES = 30;

/** Reads the configuration. Returns undefined for a contradictory object, which is then ignored. */
export function readLevelConfig({ metadata, spec = {} }: PriorityLevelObject): LevelConfig | undefined {
  const { name = "", uid = "" } = metadata;
  const { type, exempt, limited } = spec;
  const isExempt = type === "Exempt";
  if (isExempt !== (name === "exempt")) return undefined;
  const none = { name, uid, isExempt, queues: 0, handSize: 1, queueLengthLimit: 0 };
  if (isExempt) {
    const { nominalConcurrencyShares = 0, lendablePercent = 0 } = exempt ?? {};
    return { ...none, shares: nominalConcurrencyShares, lendablePercent, borrowingLimitPercent: undefined };
  }
  if (type !== "Limited" || limited === undefined) return undefined;
  const { nominalConcurrencyShares = DEFAULT_SHARES, lendablePercent = 0, borrowingLimitPercent } = limited;
  const shares = { shares: nominalConcurrencyShares, lendablePercent, borrowingLimitPercent };
  const queuing = limited.limitResponse?.type === "Queue" ? limited.limitResponse.queuing : undefined;
  if (queuing === undefined) return { ...none, ...shares };
  const { queues = 64, handSize = 8, queueLengthLimit = 50 } = queuing;
  return { ...none, ...shares, queues, handSize: Math.min(handSize, queues), queueLengthLimit };
}
