import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { PRESERVE_ZERO } from "./preserve-zero.ts";
import type { PriorityLevelConfiguration } from "./priority-level-configuration.ts";

const DEFAULT_SHARES = 30;

export const hooks = kindHooks<PriorityLevelConfiguration>({
  default: ({ metadata, spec }) => {
    const limited = spec?.limited;
    if (limited === undefined || metadata?.annotations?.[PRESERVE_ZERO] !== undefined) return;
    limited.nominalConcurrencyShares ||= DEFAULT_SHARES;
  },
});
