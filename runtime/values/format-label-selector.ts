import type { LabelSelectorObject } from "../contract/selector.ts";

/** Operators of the requirements of a LabelSelector. */
export const LABEL_SELECTOR_OPERATORS: ReadonlySet<string> = new Set(["In", "NotIn", "Exists", "DoesNotExist"]);

/** Formats a selector in one line, `app=web,tier in (a,b),!old`, sorted by key. Also accepts plain label maps. */
export function formatLabelSelector(selector: LabelSelectorObject | Readonly<Record<string, string>>): string {
  const { matchLabels, matchExpressions } = selector as LabelSelectorObject;
  const isObject = typeof matchLabels === "object" || Array.isArray(matchExpressions);
  const labels = isObject ? (matchLabels ?? {}) : (selector as Readonly<Record<string, string>>);
  const terms = Object.entries(labels).map(([key, value]) => ({ key, text: `${key}=${value}` }));
  for (const { key, operator, values = [] } of (isObject ? matchExpressions : undefined) ?? []) {
    terms.push({ key, text: formatExpression(key, operator, values) });
  }
  return terms
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ text }) => text)
    .join(",");
}

function formatExpression(key: string, operator: string, values: readonly string[]): string {
  const set = `(${[...values].sort().join(",")})`;
  switch (operator) {
    case "In":
      return `${key} in ${set}`;
    case "NotIn":
      return `${key} notin ${set}`;
    case "DoesNotExist":
      return `!${key}`;
    default:
      return key;
  }
}

/** Whether labels match a LabelSelector. An empty selector matches everything. */
export function labelSelectorMatches(
  { matchLabels = {}, matchExpressions = [] }: LabelSelectorObject,
  labels: Readonly<Record<string, string>>,
): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const present = Object.hasOwn(labels, key);
      switch (operator) {
        case "In":
          return present && values.includes(labels[key] ?? "");
        case "NotIn":
          return !present || !values.includes(labels[key] ?? "");
        case "Exists":
          return present;
        case "DoesNotExist":
          return !present;
        default:
          return false;
      }
    })
  );
}
