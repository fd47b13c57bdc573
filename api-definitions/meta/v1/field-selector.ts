import type { ListAtomic, Open } from "../../vocabulary.ts";

export interface FieldSelectorRequirement {
  key: string;
  operator: FieldSelectorOperator;
  values?: ListAtomic<string>;
}

export type FieldSelectorOperator = Open<"In" | "NotIn" | "Exists" | "DoesNotExist">;
