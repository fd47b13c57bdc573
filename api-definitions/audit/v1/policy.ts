import type { ListOf, Namespaced } from "../../meta/v1/type-meta.ts";
import { configKind, type ListAtomic, type OmitZero, type Open } from "../../vocabulary.ts";

/**
 * Audit policy of the API server, read from the file named by `--audit-policy-file`: decides which requests are
 * recorded as audit events, and in how much detail.
 */
export interface Policy extends Namespaced {
  /**
   * Rules in order of precedence: the first rule that matches a request decides. Requests that match no rule are not
   * recorded. At least one rule is required.
   */
  rules: ListAtomic<PolicyRule>;
  /** Stages at which no events are recorded for any request, in addition to those in `omitStages` of the rules. */
  omitStages?: ListAtomic<Stage>;
  /**
   * Whether `metadata.managedFields` is removed from the recorded request and response objects. A rule can override it.
   * Defaults to `false`.
   */
  omitManagedFields?: boolean & OmitZero;
}

export type Stage = Open<
  /** The request was received, and is not handled yet. */
  | "RequestReceived"
  /**
   * The response headers were sent, and the body is not complete. Only for long-running requests such as watches, and
   * for requests that fail authentication.
   */
  | "ResponseStarted"
  /** The response was sent completely. */
  | "ResponseComplete"
  /** The request ended with an internal error of the API server. */
  | "Panic"
>;

/**
 * Matches requests to a level of detail. A request matches if it meets all conditions that are set; a condition that is
 * empty matches every request.
 */
export interface PolicyRule {
  /** Level of detail at which matching requests are recorded. */
  level: Level;
  /** Names of the users, as authenticated, to whose requests the rule applies. Empty means all users. */
  users?: ListAtomic<string>;
  /** Groups of users to whose requests the rule applies; a user must be in at least one. Empty means all groups. */
  userGroups?: ListAtomic<string>;
  /** Verbs of the requests to which the rule applies, such as `get` or `delete`. Empty means all verbs. */
  verbs?: ListAtomic<string>;
  /** Resources to whose requests the rule applies. Empty means all resources. Excludes `nonResourceURLs`. */
  resources?: ListAtomic<GroupResources>;
  /**
   * Namespaces to whose requests the rule applies; an empty string matches resources without a namespace. Empty means
   * all namespaces. Excludes `nonResourceURLs`.
   */
  namespaces?: ListAtomic<string>;
  /**
   * Paths that are not resources to whose requests the rule applies, such as `/metrics`. `*` matches all paths, and a
   * `*` at the end every path that begins so, such as `/healthz*`. Excludes `resources` and `namespaces`.
   */
  nonResourceURLs?: ListAtomic<string>;
  /** Stages at which no events are recorded for matching requests, in addition to `omitStages` of the policy. */
  omitStages?: ListAtomic<Stage>;
  /**
   * Whether `metadata.managedFields` is removed from the recorded objects of matching requests. Defaults to
   * `omitManagedFields` of the policy.
   */
  omitManagedFields?: boolean;
}

export type Level = Open<
  /** The request is not recorded. */
  | "None"
  /** User, time, resource, verb and status are recorded, but no request or response objects. */
  | "Metadata"
  /** Like `Metadata`, with the request object. */
  | "Request"
  /** Like `Request`, with the response object. */
  | "RequestResponse"
>;

/** Resources of an API group, for a rule of an audit policy. */
export interface GroupResources {
  /** API group of the resources. Empty is the core group. */
  group?: string & OmitZero;
  /**
   * Names of resources. `pods` does not match subresources; `pods/log` matches one, `pods/*` matches pods and all their
   * subresources, `*` matches everything, and a `*` in place of the resource before a subresource matches that
   * subresource of every resource. Empty means all resources and subresources of the group.
   */
  resources?: ListAtomic<string>;
  /** Names of the objects that match. Empty means all objects. Needs at least one entry in `resources`. */
  resourceNames?: ListAtomic<string>;
}

/** List of audit policies. */
export type PolicyList = ListOf<Policy>;

export const policy = configKind<Policy>({});

export const policyList = configKind<PolicyList>({});
