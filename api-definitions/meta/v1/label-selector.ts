import type { AtomicStruct, ListAtomic, Open } from "../../vocabulary.ts";

/** Chooses objects by their labels; all demands must hold. */
export interface LabelSelector extends AtomicStruct {
  /** Labels that must have exactly these values. */
  matchLabels?: Record<string, string>;
  /** Demands that say more than equality. */
  matchExpressions?: ListAtomic<LabelSelectorRequirement>;
}

/** A demand on a label. */
export interface LabelSelectorRequirement {
  /** The label. */
  key: string;
  /** How it relates to the values. */
  operator: LabelSelectorOperator;
  /** What it is compared with. */
  values?: ListAtomic<string>;
}

export type LabelSelectorOperator = Open<"In" | "NotIn" | "Exists" | "DoesNotExist">;
