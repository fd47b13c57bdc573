import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { AtomicStruct, Default, ListAtomic, Open } from "../../vocabulary.ts";

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

export interface RuleWithOperations extends Rule {
  operations?: ListAtomic<OperationType>;
}

export type OperationType = "*" | "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

export interface Rule {
  apiGroups?: ListAtomic<string>;
  apiVersions?: ListAtomic<string>;
  resources?: ListAtomic<string>;
  scope?: ScopeType & Default<"*">;
}

export type ScopeType = Open<"Cluster" | "Namespaced" | "*">;

export type FailurePolicyType = "Ignore" | "Fail";
