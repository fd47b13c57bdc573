import type { LabelSelectorObject } from "../contract/selector.ts";
import { formatLabelSelector, LABEL_SELECTOR_OPERATORS } from "./format-label-selector.ts";

/** How the cells of tables write lists, labels and selectors. */

/** `a=1,b=2`, sorted by key; `<none>` for no labels. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? "<none>" : pairs.sort().join(",");
}

/** `app=web,tier in (a,b),!old`; `<none>` for a selector that selects everything, nothing, or is absent. */
export function selectorText(selector: LabelSelectorObject | undefined | null): string {
  if (selector === undefined || selector === null) return "<none>";
  const text = requirementsText(selector);
  return text === undefined ? "<error>" : text === "" ? "<none>" : text;
}

/** The requirements of a selector in the notation of `kubectl -l`, sorted by key; undefined for an unknown operator. */
export function requirementsText(selector: LabelSelectorObject): string | undefined {
  const known = (selector.matchExpressions ?? []).every(({ operator }) => LABEL_SELECTOR_OPERATORS.has(operator));
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return known ? formatLabelSelector({ matchLabels, matchExpressions }) : undefined;
}

export interface ListTextOptions {
  readonly max?: number;
  /** How many there are, if `entries` holds only the first of them. */
  readonly total?: number;
  /** What is written when there are none, or only empty ones. */
  readonly empty?: string;
  readonly separator?: string;
}

/** At most `max` of the entries, and how many more there are. */
export function listText(entries: readonly string[], options: ListTextOptions = {}): string {
  const { max = 3, total = entries.length, empty = "<unset>", separator = "," } = options;
  if (total > max) return `${entries.slice(0, max).join(separator)} + ${total - max} more...`;
  return entries.join(separator) || empty;
}

/** Names and images of containers, as the wide columns of workloads show them. */
export function containerCells(
  containers: readonly { readonly name: string; readonly image?: string }[] | null | undefined,
): { Containers: string; Images: string } {
  return {
    Containers: (containers ?? []).map((container) => container.name).join(","),
    Images: (containers ?? []).map((container) => container.image ?? "").join(","),
  };
}
