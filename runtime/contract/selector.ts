export type LabelOperator = "in" | "notin" | "exists" | "!" | "gt" | "lt";

/** One requirement on a label. `in` and `notin` also represent `=`, `==` and `!=`. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/** One requirement on a selectable field. */
export interface FieldRequirement {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** The LabelSelector of API objects. */
export interface LabelSelectorObject {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}
