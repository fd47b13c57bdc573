import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { PriorityLevelConfiguration } from "./priority-level-configuration.ts";

const none = "<none>";

export const hooks = hooksFor<PriorityLevelConfiguration>({
  cells: ({ spec }) => {
    const queuing = spec?.limited?.limitResponse?.queuing;
    return {
      NominalConcurrencyShares: spec?.limited === undefined ? none : (spec.limited.nominalConcurrencyShares ?? 0),
      Queues: queuing === undefined ? none : (queuing.queues ?? 0),
      HandSize: queuing === undefined ? none : (queuing.handSize ?? 0),
      QueueLengthLimit: queuing === undefined ? none : (queuing.queueLengthLimit ?? 0),
    };
  },
});
