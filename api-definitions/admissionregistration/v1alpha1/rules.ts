import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { AtomicStruct, Default, ListAtomic } from "../../vocabulary.ts";
import type { RuleWithOperations } from "../v1/rules.ts";

export interface MatchCondition {
  name: string;
  expression: string;
}

export interface MatchResources extends AtomicStruct {
  namespaceSelector?: LabelSelector & Default<{}>;
  objectSelector?: LabelSelector & Default<{}>;
  resourceRules?: ListAtomic<NamedRuleWithOperations>;
  excludeResourceRules?: ListAtomic<NamedRuleWithOperations>;
  matchPolicy?: MatchPolicyType & Default<"Equivalent">;
}

export type MatchPolicyType = "Exact" | "Equivalent";

export interface NamedRuleWithOperations extends AtomicStruct, RuleWithOperations {
  resourceNames?: ListAtomic<string>;
}

export type FailurePolicyType = "Ignore" | "Fail";
