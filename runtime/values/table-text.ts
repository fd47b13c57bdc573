import type { LabelSelectorObject } from "../contract/selector.ts";
import { formatLabelSelector, LABEL_SELECTOR_OPERATORS } from "./format-label-selector.ts";

/** Notation of lists, labels and selectors in the cells of tables. */

/** Formats labels as `a=1,b=2`, sorted by key. Returns `<none>` if there are none. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? "<none>" : pairs.sort().join(",");
}

/** Formats a selector as `app=web,tier in (a,b),!old`. Returns `<none>` if it selects everything or nothing, or is absent. */
export function selectorText(selector: LabelSelectorObject | undefined | null): string {
  if (selector === undefined || selector === null) return "<none>";
  const text = requirementsText(selector);
  return text === undefined ? "<error>" : text === "" ? "<none>" : text;
}

/** Formats the requirements of a selector as `kubectl -l` accepts them, sorted by key. Undefined for an unknown operator. */
export function requirementsText(selector: LabelSelectorObject): string | undefined {
  const known = (selector.matchExpressions ?? []).every(({ operator }) => LABEL_SELECTOR_OPERATORS.has(operator));
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return known ? formatLabelSelector({ matchLabels, matchExpressions }) : undefined;
}

export interface ListTextOptions {
  readonly max?: number;
  /** Total number of entries, if `entries` contains only the first ones. */
  readonly total?: number;
  /** Text if there are no entries, or only empty ones. */
  readonly empty?: string;
  readonly separator?: string;
}

/** Joins at most `max` entries and adds the number of the others. */
export function listText(entries: readonly string[], options: ListTextOptions = {}): string {
  const { max = 3, total = entries.length, empty = "<unset>", separator = "," } = options;
  if (total > max) return `${entries.slice(0, max).join(separator)} + ${total - max} more...`;
  return entries.join(separator) || empty;
}

/** Returns names and images of containers for the wide columns of workloads. */
export function containerCells(
  containers: readonly { readonly name: string; readonly image?: string }[] | null | undefined,
): { Containers: string; Images: string } {
  return {
    Containers: (containers ?? []).map((container) => container.name).join(","),
    Images: (containers ?? []).map((container) => container.image ?? "").join(","),
  };
}
