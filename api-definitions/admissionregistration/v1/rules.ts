import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { AtomicStruct, Default, ListAtomic, Open } from "../../vocabulary.ts";

/** A condition for being asked. */
export interface MatchCondition {
  /** Name of the condition. */
  name: string;
  /** The condition, in CEL. */
  expression: string;
}

/** Which requests are meant. */
export interface MatchResources extends AtomicStruct {
  /** Only objects of these namespaces. */
  namespaceSelector?: LabelSelector & Default<{}>;
  /** Only objects with these labels. */
  objectSelector?: LabelSelector & Default<{}>;
  /** Requests that count. */
  resourceRules?: ListAtomic<NamedRuleWithOperations>;
  /** Requests that do not count after all. */
  excludeResourceRules?: ListAtomic<NamedRuleWithOperations>;
  /** Whether requests in other versions count too. */
  matchPolicy?: MatchPolicyType & Default<"Equivalent">;
}

export type MatchPolicyType = "Exact" | "Equivalent";

/** Requests, and the names of their objects. */
export interface NamedRuleWithOperations extends AtomicStruct, RuleWithOperations {
  /** Only objects with these names; all when empty. */
  resourceNames?: ListAtomic<string>;
}

/** Requests: what is done with what. */
export interface RuleWithOperations extends Rule {
  /** What is done; `*` for everything. */
  operations?: ListAtomic<OperationType>;
}

export type OperationType = "*" | "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** Resources that requests are about. */
export interface Rule {
  /** Their groups; `*` for all. */
  apiGroups?: ListAtomic<string>;
  /** Their versions; `*` for all. */
  apiVersions?: ListAtomic<string>;
  /** The resources, with subresources after a slash; `*` for all. */
  resources?: ListAtomic<string>;
  /** Whether they live in namespaces; `*` for both. */
  scope?: ScopeType & Default<"*">;
}

export type ScopeType = Open<"Cluster" | "Namespaced" | "*">;

export type FailurePolicyType = "Ignore" | "Fail";
