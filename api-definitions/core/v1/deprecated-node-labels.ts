import { checkLabelValue } from "../../../runtime/values/names.ts";
import type { NodeSelectorTerm } from "./scheduling.ts";

const ADVICE = new Map(
  Object.entries({
    "beta.kubernetes.io/arch": 'deprecated since v1.14; use "kubernetes.io/arch" instead',
    "beta.kubernetes.io/os": 'deprecated since v1.14; use "kubernetes.io/os" instead',
    "failure-domain.beta.kubernetes.io/region": 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
    "failure-domain.beta.kubernetes.io/zone": 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
    "beta.kubernetes.io/instance-type": 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
    "app.kubernetes.io/created-by": "deprecated since v1.9",
    "scheduler.alpha.kubernetes.io/preferAvoidPods": "deprecated since v1.22; use Taints and Tolerations instead",
    "node-role.kubernetes.io/master": 'use "node-role.kubernetes.io/control-plane" instead',
  }),
);

/** What to use instead of a label of nodes that has had its day; undefined for all others. */
export function deprecatedNodeLabel(label: string): string | undefined {
  return ADVICE.get(label);
}

/** Such labels in a term that selects nodes and, where they are not refused, values no label can have. */
export function warnOfNodeTerm(term: NodeSelectorTerm, checksValues: boolean, path: string): string[] {
  return (term.matchExpressions ?? []).flatMap(({ key, values = [] }, index) => {
    const at = `${path}.matchExpressions[${index}]`;
    const advice = deprecatedNodeLabel(key);
    const invalid = values.flatMap((value, position) =>
      checkLabelValue(value).map((problem) => `${at}.values[${position}]: ${value} is invalid, ${problem}`),
    );
    return [...(advice === undefined ? [] : [`${at}.key: ${key} is ${advice}`]), ...(checksValues ? invalid : [])];
  });
}
