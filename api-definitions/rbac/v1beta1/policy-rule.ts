import type { ListAtomic } from "../../vocabulary.ts";

/** Allows verbs on resources or on non-resource URLs. A rule applies to one of the two, not to both. */
export interface PolicyRule {
  /** Verbs that the rule allows, such as `get`, `list` or `create`. `*` allows all verbs. At least one is required. */
  verbs: ListAtomic<string>;
  /**
   * API groups of the resources. An empty string stands for the core group, `*` for all groups. At least one is
   * required in a rule for resources.
   */
  apiGroups?: ListAtomic<string>;
  /**
   * Resources to which the rule applies, by plural name, such as `pods`. A name does not include its subresources:
   * these are named as `pods/log`, with `*` instead of `pods` for that subresource of all resources. `*` stands for all
   * resources and subresources. At least one is required in a rule for resources.
   */
  resources?: ListAtomic<string>;
  /**
   * Names of the objects to which the rule applies. If empty, it applies to all objects. A rule with names does not
   * match requests that have no object name in their path, such as `create` and most `list` requests.
   */
  resourceNames?: ListAtomic<string>;
  /**
   * Paths outside the resources of the API, such as `/healthz`. A `*` at the end matches all paths with that prefix.
   * Allowed only in a ClusterRole, and takes effect only through a ClusterRoleBinding. Must not be combined with
   * `apiGroups`, `resources` or `resourceNames`.
   */
  nonResourceURLs?: ListAtomic<string>;
}
