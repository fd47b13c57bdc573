import { getOwn } from "../lib/json-object.ts";
/** A selector as objects carry it. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** Whether labels meet all conditions of a selector; an empty one selects everything, an unknown operator nothing. */
export function selectsLabels(selector: LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  return (
    Object.entries(selector.matchLabels ?? {}).every(([key, value]) => getOwn(labels, key) === value) &&
    (selector.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
      const value = getOwn(labels, key);
      if (operator === "In") return value !== undefined && values.includes(value);
      if (operator === "NotIn") return value === undefined || !values.includes(value);
      if (operator === "Exists") return value !== undefined;
      return operator === "DoesNotExist" && value === undefined;
    })
  );
}
