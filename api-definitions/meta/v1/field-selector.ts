import type { ListAtomic, Open } from "../../vocabulary.ts";

/** A demand on a field. */
export interface FieldSelectorRequirement {
  /** The field. */
  key: string;
  /** How it relates to the values. */
  operator: FieldSelectorOperator;
  /** What it is compared with. */
  values?: ListAtomic<string>;
}

export type FieldSelectorOperator = Open<"In" | "NotIn" | "Exists" | "DoesNotExist">;
