import type { LabelSelector } from "../../meta/v1/label-selector.ts";

/** Table cell for the parameter kind of a policy. */
export function paramKindText(kind: { apiVersion?: string; kind?: string } | undefined): string {
  return kind === undefined ? "<unset>" : `${kind.apiVersion ?? ""}/${kind.kind ?? ""}`;
}

/** Table cell for the parameter reference of a binding; a selector as Go prints it. */
export function paramRefText(ref: { name?: string; namespace?: string; selector?: LabelSelector } | undefined): string {
  if (ref?.name) return `${ref.namespace || "*"}/${ref.name}`;
  return ref?.selector === undefined ? "<unset>" : goSelectorText(ref.selector);
}

function goSelectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.keys(matchLabels)
    .sort()
    .map((key) => `${key}: ${matchLabels[key]},`);
  const requirements = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(" ")}],},`,
  );
  const [labelText, requirementText] = [labels.join(""), requirements.join("")];
  return `&LabelSelector{MatchLabels:map[string]string{${labelText}},MatchExpressions:[]LabelSelectorRequirement{${requirementText}},}`;
}
