import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { AtomicStruct, Default, ListAtomic, Open } from "../../vocabulary.ts";
import type { RuleWithOperations } from "../v1/rules.ts";

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

export type MatchPolicyType = Open<"Exact" | "Equivalent">;

/** Requests, and the names of their objects. */
export interface NamedRuleWithOperations extends AtomicStruct, RuleWithOperations {
  /** Only objects with these names; all when empty. */
  resourceNames?: ListAtomic<string>;
}

export type FailurePolicyType = Open<"Ignore" | "Fail">;
