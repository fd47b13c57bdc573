import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { goTextMap, shown } from "../../../runtime/go/literal.ts";
import { asGiven } from "../../../runtime/go/source-notes.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { invalidField } from "../../../runtime/values/field-errors.ts";
import { shownAs } from "../../go-types.ts";
import type { PodSpec } from "./pod-spec.ts";
import type { Affinity, NodeAffinity, NodeSelectorTerm } from "./scheduling.ts";

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

/** While a pod has scheduling gates, updates may restrict the nodes it can run on further, but not allow more nodes. */
export function validateGatedChange(spec: PodSpec, old: PodSpec, errors: FieldError[]): void {
  const { nodeSelector = {} } = spec;
  if (Object.entries(old.nodeSelector ?? {}).some(([key, value]) => nodeSelector[key] !== value)) {
    const detail = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
    errors.push(invalidField("spec.nodeSelector", shown(goTextMap(asGiven(spec, "nodeSelector"))), detail));
  }
  validateNodeAffinityChange(spec.affinity?.nodeAffinity, old.affinity?.nodeAffinity, errors);
}

/** Returns the affinity with the node affinity of `old`, to check whether anything else changed. */
export function withOldNodes(affinity: Affinity | undefined, old: Affinity | undefined): Affinity | undefined {
  const nodes = old?.nodeAffinity;
  if (equalMeaning(affinity?.nodeAffinity, nodes)) return affinity;
  if (affinity === undefined) return { nodeAffinity: nodes } as Affinity;
  const { nodeAffinity: _new, ...others } = affinity;
  if (old === undefined && Object.keys(others).length === 0) return undefined;
  return { ...others, ...(nodes && { nodeAffinity: nodes }) };
}

function validateNodeAffinityChange(
  next: NodeAffinity | undefined,
  old: NodeAffinity | undefined,
  errors: FieldError[],
): void {
  const [terms, before] = [next, old].map((affinity) => affinity?.[REQUIRED]?.nodeSelectorTerms ?? []);
  if (equalMeaning(next, old) || before === undefined || before.length === 0) return;
  const field = `spec.affinity.nodeAffinity.${REQUIRED}.nodeSelectorTerms`;
  if (terms?.length !== before.length) {
    const value = shownAs("[]core.NodeSelectorTerm", next?.[REQUIRED]?.nodeSelectorTerms);
    errors.push(invalidField(field, value, "no additions/deletions to non-empty NodeSelectorTerms list are allowed"));
    return;
  }
  for (const [index, term] of terms.entries()) {
    if (onlyAdds(term, before[index] ?? {})) continue;
    const value = shownAs("core.NodeSelectorTerm", term);
    errors.push(invalidField(`${field}[${index}]`, value, "only additions are allowed (no mutations or deletions)"));
  }
}

/** Whether requirements were only appended. A term without requirements matches no node and must stay empty. */
function onlyAdds(term: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const lists = ["matchExpressions", "matchFields"] as const;
  const count = (of: NodeSelectorTerm) => lists.reduce((sum, list) => sum + (of[list] ?? []).length, 0);
  if (count(old) === 0) return count(term) === 0;
  return lists.every((list) => {
    const before = old[list] ?? [];
    return equalMeaning((term[list] ?? []).slice(0, before.length), before);
  });
}
