/** How the cells of tables write lists, labels and selectors. */

/** A label selector as its kind declares it. */
interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** `a=1,b=2`, sorted by key; `<none>` for no labels. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? "<none>" : pairs.sort().join(",");
}

/** `app=web,tier in (a,b),!old`; `<none>` for a selector that selects everything, nothing, or is absent. */
export function selectorText(selector: Selector | undefined | null): string {
  if (selector === undefined || selector === null) return "<none>";
  const text = requirementsText(selector);
  return text === undefined ? "<error>" : text === "" ? "<none>" : text;
}

/** The requirements of a selector in the notation of `kubectl -l`, sorted by key; undefined for an unknown operator. */
export function requirementsText(selector: Selector): string | undefined {
  const requirements: [key: string, text: string][] = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => [
    key,
    `${key}=${value}`,
  ]);
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    const text = expressionText(key, operator, [...values].sort());
    if (text === undefined) return undefined;
    requirements.push([key, text]);
  }
  return requirements
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, text]) => text)
    .join(",");
}

/** At most `max` of the entries, and how many more there are; `empty` when there are none. */
export function listText(entries: readonly string[], max = 3, empty = "<unset>", separator = ","): string {
  if (entries.length > max) return `${entries.slice(0, max).join(separator)} + ${entries.length - max} more...`;
  return entries.length === 0 ? empty : entries.join(separator);
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

function expressionText(key: string, operator: string, values: readonly string[]): string | undefined {
  switch (operator) {
    case "In":
      return `${key} in (${values.join(",")})`;
    case "NotIn":
      return `${key} notin (${values.join(",")})`;
    case "Exists":
      return key;
    case "DoesNotExist":
      return `!${key}`;
    default:
      return undefined;
  }
}
