export type LabelOperator = "in" | "notin" | "exists" | "!" | "gt" | "lt";

/** One condition on one label. `in` and `notin` also stand for `=`, `==` and `!=`. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/** One condition on one selectable field. */
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
