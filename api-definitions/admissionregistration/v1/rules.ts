import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { AtomicStruct, ListAtomic } from "../../vocabulary.ts";

export interface MatchCondition {
  name: string;
  expression: string;
}

export interface MatchResources extends AtomicStruct {
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  resourceRules?: ListAtomic<NamedRuleWithOperations>;
  excludeResourceRules?: ListAtomic<NamedRuleWithOperations>;
  matchPolicy?: MatchPolicyType;
}

export type MatchPolicyType = "Exact" | "Equivalent";

export interface NamedRuleWithOperations extends AtomicStruct, RuleWithOperations {
  resourceNames?: ListAtomic<string>;
}

export interface RuleWithOperations extends Rule {
  operations?: ListAtomic<OperationType>;
}

export type OperationType = "*" | "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

export interface Rule {
  apiGroups?: ListAtomic<string>;
  apiVersions?: ListAtomic<string>;
  resources?: ListAtomic<string>;
  scope?: ScopeType;
}

export type ScopeType = "Cluster" | "Namespaced" | "*";

export type FailurePolicyType = "Ignore" | "Fail";
