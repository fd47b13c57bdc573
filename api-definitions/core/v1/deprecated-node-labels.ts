import { checkLabelValue } from "../../../runtime/values/names.ts";
import { deprecatedNodeLabel } from "../../node/v1/deprecated-labels.ts";
import type { NodeSelectorTerm } from "./scheduling.ts";

/**
 * Warns of deprecated labels in a node selector term. `checksValues`: also warns of values that are not valid label values, for terms where
 * they are no error.
 */
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
