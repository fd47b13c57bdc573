import { putAnnotation, takeAnnotation } from "../conversion-annotations.ts";
import { conversion } from "../conversion-vocabulary.ts";
import type { PriorityLevelConfiguration } from "./v1/priority-level-configuration.ts";
import type { PriorityLevelConfiguration as PriorityLevelConfigurationV1beta1 } from "./v1beta1/priority-level-configuration.ts";
import type { PriorityLevelConfiguration as PriorityLevelConfigurationV1beta2 } from "./v1beta2/priority-level-configuration.ts";
import { PRESERVE_ZERO } from "./v1beta3/preserve-zero.ts";
import type { PriorityLevelConfiguration as PriorityLevelConfigurationV1beta3 } from "./v1beta3/priority-level-configuration.ts";

export const priorityLevelConfigurationV1beta1 = conversion<
  PriorityLevelConfigurationV1beta1,
  PriorityLevelConfiguration
>({ rename: { "spec.limited.assuredConcurrencyShares": "spec.limited.nominalConcurrencyShares" } });

export const priorityLevelConfigurationV1beta2 = conversion<
  PriorityLevelConfigurationV1beta2,
  PriorityLevelConfiguration
>({ rename: { "spec.limited.assuredConcurrencyShares": "spec.limited.nominalConcurrencyShares" } });

/** v1beta3 does not distinguish zero shares from unset ones, which default to 30. An annotation marks a zero that is meant. */
export const priorityLevelConfigurationV1beta3 = conversion<
  PriorityLevelConfigurationV1beta3,
  PriorityLevelConfiguration
>({
  toHub(_from, hub) {
    takeAnnotation(hub, PRESERVE_ZERO);
  },
  fromHub(hub, to) {
    takeAnnotation(to, PRESERVE_ZERO);
    if (hub.spec?.limited?.nominalConcurrencyShares === 0) putAnnotation(to, PRESERVE_ZERO, "");
  },
});
