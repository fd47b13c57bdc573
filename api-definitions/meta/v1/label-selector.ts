import type { AtomicStruct, ListAtomic, Open } from "../../vocabulary.ts";

export interface LabelSelector extends AtomicStruct {
  matchLabels?: Record<string, string>;
  matchExpressions?: ListAtomic<LabelSelectorRequirement>;
}

export interface LabelSelectorRequirement {
  key: string;
  operator: LabelSelectorOperator;
  values?: ListAtomic<string>;
}

export type LabelSelectorOperator = Open<"In" | "NotIn" | "Exists" | "DoesNotExist">;
