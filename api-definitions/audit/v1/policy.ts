import type { ListOf, Namespaced } from "../../meta/v1/type-meta.ts";
import { configKind, type ListAtomic, type OmitZero, type Open } from "../../vocabulary.ts";

/** Which requests are written down, and in how much detail. */
export interface Policy extends Namespaced {
  /** Looked at in order; the first that matches counts. */
  rules: ListAtomic<PolicyRule>;
  /** Stages for which nothing is written down. */
  omitStages?: ListAtomic<Stage>;
  /** Leaves out managed fields. */
  omitManagedFields?: boolean & OmitZero;
}

export type Stage = Open<"RequestReceived" | "ResponseStarted" | "ResponseComplete" | "Panic">;

/** Requests, and how much is written down about them. */
export interface PolicyRule {
  /** How much. */
  level: Level;
  /** Requests of these users. */
  users?: ListAtomic<string>;
  /** Requests of these groups. */
  userGroups?: ListAtomic<string>;
  /** Requests to do these things. */
  verbs?: ListAtomic<string>;
  /** Requests about these resources. */
  resources?: ListAtomic<GroupResources>;
  /** Requests in these namespaces. */
  namespaces?: ListAtomic<string>;
  /** Requests for these paths. */
  nonResourceURLs?: ListAtomic<string>;
  /** Stages for which nothing is written down. */
  omitStages?: ListAtomic<Stage>;
  /** Leaves out managed fields, or not, whatever the policy says. */
  omitManagedFields?: boolean;
}

export type Level = Open<"None" | "Metadata" | "Request" | "RequestResponse">;

/** Resources of a group. */
export interface GroupResources {
  /** The group. */
  group?: string & OmitZero;
  /** The resources. */
  resources?: ListAtomic<string>;
  /** Only objects with these names. */
  resourceNames?: ListAtomic<string>;
}

/** Many audit policies. */
export type PolicyList = ListOf<Policy>;

export const policy = configKind<Policy>({});

export const policyList = configKind<PolicyList>({});
