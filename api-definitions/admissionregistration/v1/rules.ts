import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { AtomicStruct, Default, ListAtomic, Open } from "../../vocabulary.ts";

/** A CEL condition that a request must meet. */
export interface MatchCondition {
  /**
   * Name of the condition, used in messages. Must be a qualified name, such as `exclude-leases` or
   * `example.com/exclude-leases`, and unique in the list.
   */
  name: string;
  /**
   * CEL expression that returns a boolean. It can use `object`, `oldObject`, `request` and `authorizer`, and in a
   * policy with `paramKind` also `params`. `object` is `null` for `DELETE`, `oldObject` is `null` for `CREATE`.
   */
  expression: string;
}

/**
 * Selects requests by operation, resource, name, namespace and labels. A request matches if all criteria are met and no
 * exclusion applies.
 */
export interface MatchResources extends AtomicStruct {
  /**
   * Selects namespaces by their labels; only objects in these match. Requests for a Namespace are matched by the labels
   * of that Namespace. Requests for other cluster-scoped objects always match. An empty selector matches all
   * namespaces.
   */
  namespaceSelector?: LabelSelector & Default<{}>;
  /**
   * Selects objects by their labels; a request matches if the object or the existing object does. Objects that cannot
   * have labels do not match a selector with requirements. An empty selector matches all objects. Use it only if users
   * may opt out by changing labels.
   */
  objectSelector?: LabelSelector & Default<{}>;
  /**
   * Rules that select requests by operation and resource. A request matches if at least one rule matches. Required in a
   * policy. If empty in a binding, all requests that the policy selects match.
   */
  resourceRules?: ListAtomic<NamedRuleWithOperations>;
  /** Rules for requests that do not match although `resourceRules` selects them. */
  excludeResourceRules?: ListAtomic<NamedRuleWithOperations>;
  /** Whether requests in other API groups or versions of the resources that the rules name match, too. */
  matchPolicy?: MatchPolicyType & Default<"Equivalent">;
}

export type MatchPolicyType =
  /** Only requests for exactly the listed API groups, versions and resources match. */
  | "Exact"
  /**
   * Requests for the same resource in another API group or version match, too, and the object is converted to the
   * version that a rule names.
   */
  | "Equivalent";

/** Selects requests by operation and resource, and optionally by the name of the object. */
export interface NamedRuleWithOperations extends AtomicStruct, RuleWithOperations {
  /**
   * Names of the objects to which the rule applies. If empty, it applies to all objects. Must not contain duplicates.
   */
  resourceNames?: ListAtomic<string>;
}

/** Selects requests by operation and resource. All criteria must be met. */
export interface RuleWithOperations extends Rule {
  /**
   * Operations to which the rule applies. `*` stands for all operations and must be the only entry. At least one is
   * required.
   */
  operations?: ListAtomic<OperationType>;
}

export type OperationType =
  /** All operations. */
  | "*"
  /** Requests that create an object. */
  | "CREATE"
  /** Requests that replace or patch an existing object. */
  | "UPDATE"
  /** Requests that delete objects. */
  | "DELETE"
  /** Requests that open a connection to a subresource, such as `exec` or `proxy`. */
  | "CONNECT";

/** Selects resources by API group, version, name and scope. */
export interface Rule {
  /**
   * API groups of the resources. An empty string stands for the core group. `*` stands for all groups and must be the
   * only entry. At least one is required.
   */
  apiGroups?: ListAtomic<string>;
  /**
   * API versions of the resources, such as `v1`. `*` stands for all versions and must be the only entry. At least one
   * is required.
   */
  apiVersions?: ListAtomic<string>;
  /**
   * Resources to which the rule applies, by plural name, such as `pods`. Subresources must be named separately, such as
   * `pods/log`. `*` before the slash stands for all resources, after the slash for all subresources of the resource and
   * the resource itself; `*` alone stands for all resources without subresources. Entries must not overlap. At least
   * one is required.
   */
  resources?: ListAtomic<string>;
  /** Whether the rule applies to cluster-scoped resources, to namespaced ones or to both. */
  scope?: ScopeType & Default<"*">;
}

export type ScopeType = Open<
  /** Cluster-scoped resources only, including Namespaces themselves. */
  | "Cluster"
  /** Namespaced resources only. */
  | "Namespaced"
  /** Both cluster-scoped and namespaced resources. */
  | "*"
>;

export type FailurePolicyType =
  /** The failure is ignored and the request continues. */
  | "Ignore"
  /** The request is rejected. */
  | "Fail";
