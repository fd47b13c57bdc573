import type { ListAtomic, Open } from "../../vocabulary.ts";

/** A requirement on the value of one field of an object. */
export interface FieldSelectorRequirement {
  /** Path of the field, such as `spec.nodeName`. Must not be empty. */
  key: string;
  /** How the value of the field is compared with `values`. */
  operator: FieldSelectorOperator;
  /**
   * Values to compare the field with. Required if `operator` is `In` or `NotIn`, must be empty if it is `Exists` or
   * `DoesNotExist`.
   */
  values?: ListAtomic<string>;
}

export type FieldSelectorOperator = Open<
  /** The value of the field is one of `values`. */
  | "In"
  /** The value of the field is none of `values`. */
  | "NotIn"
  /** The field is set. `values` must be empty. */
  | "Exists"
  /** The field is not set. `values` must be empty. */
  | "DoesNotExist"
>;
