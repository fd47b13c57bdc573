import type { AtomicStruct, ListAtomic, Open } from "../../vocabulary.ts";

/**
 * A query that selects objects by their labels. All requirements of `matchLabels` and `matchExpressions` must be met.
 * An empty selector matches all objects; what an unset selector means depends on the field.
 */
export interface LabelSelector extends AtomicStruct {
  /**
   * Labels that an object must have with exactly these values. Each entry is equivalent to an entry of
   * `matchExpressions` with the operator `In` and one value.
   */
  matchLabels?: Record<string, string>;
  /** Requirements on labels that equality cannot express. All of them must be met. */
  matchExpressions?: ListAtomic<LabelSelectorRequirement>;
}

/** A requirement on one label of an object. */
export interface LabelSelectorRequirement {
  /** Key of the label. Must be a qualified name, such as `app` or `example.com/app`. */
  key: string;
  /** How the value of the label is compared with `values`. */
  operator: LabelSelectorOperator;
  /**
   * Values to compare the label with. Required if `operator` is `In` or `NotIn`, must be empty if it is `Exists` or
   * `DoesNotExist`.
   */
  values?: ListAtomic<string>;
}

export type LabelSelectorOperator = Open<
  /** The object has the label, and its value is one of `values`. */
  | "In"
  /** The object does not have the label, or its value is none of `values`. */
  | "NotIn"
  /** The object has the label, with any value. `values` must be empty. */
  | "Exists"
  /** The object does not have the label. `values` must be empty. */
  | "DoesNotExist"
>;
