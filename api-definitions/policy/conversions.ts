import { conversion } from "../conversion-vocabulary.ts";
import type { LabelSelector } from "../meta/v1/label-selector.ts";
import { release } from "../release.ts";
import type { PodDisruptionBudget } from "./v1/pod-disruption-budget.ts";
import type { PodDisruptionBudget as PodDisruptionBudgetV1beta1 } from "./v1beta1/pod-disruption-budget.ts";

/** A label that no pod has: `Exists` selects no pod, `DoesNotExist` all pods. */
const NO_POD_HAS = `pdb.${release.vendor}.io/deprecated-v1beta1-empty-selector-match`;

/** An empty selector selects no pod in v1beta1 and every pod since v1. */
export const podDisruptionBudgetV1beta1 = conversion<PodDisruptionBudgetV1beta1, PodDisruptionBudget>({
  toHub(from, hub) {
    const selector = from.spec?.selector;
    if (hub.spec === undefined || selector === undefined) return;
    if (isEmpty(selector)) hub.spec.selector = requirement("Exists");
    else if (isRequirement(selector, "DoesNotExist")) hub.spec.selector = {};
  },
  fromHub(hub, to) {
    const selector = hub.spec?.selector;
    if (to.spec === undefined || selector === undefined) return;
    if (isEmpty(selector)) to.spec.selector = requirement("DoesNotExist");
    else if (isRequirement(selector, "Exists")) to.spec.selector = {};
  },
});

type Operator = "Exists" | "DoesNotExist";

function requirement(operator: Operator): { matchExpressions: { key: string; operator: Operator }[] } {
  return { matchExpressions: [{ key: NO_POD_HAS, operator }] };
}

function isEmpty({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

function isRequirement({ matchLabels = {}, matchExpressions = [] }: LabelSelector, operator: Operator): boolean {
  const [first, ...others] = matchExpressions;
  return (
    Object.keys(matchLabels).length === 0 &&
    others.length === 0 &&
    first?.key === NO_POD_HAS &&
    first.operator === operator &&
    (first.values ?? []).length === 0
  );
}
