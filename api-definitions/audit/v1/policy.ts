import type { ListOf, Namespaced } from "../../meta/v1/type-meta.ts";
import { configKind, type ListAtomic, type OmitZero, type Open } from "../../vocabulary.ts";

/** Which requests are written down, and in how much detail. */
export interface Policy extends Namespaced {
  rules: ListAtomic<PolicyRule>;
  omitStages?: ListAtomic<Stage>;
  omitManagedFields?: boolean & OmitZero;
}

export type Stage = Open<"RequestReceived" | "ResponseStarted" | "ResponseComplete" | "Panic">;

export interface PolicyRule {
  level: Level;
  users?: ListAtomic<string>;
  userGroups?: ListAtomic<string>;
  verbs?: ListAtomic<string>;
  resources?: ListAtomic<GroupResources>;
  namespaces?: ListAtomic<string>;
  nonResourceURLs?: ListAtomic<string>;
  omitStages?: ListAtomic<Stage>;
  omitManagedFields?: boolean;
}

export type Level = Open<"None" | "Metadata" | "Request" | "RequestResponse">;

export interface GroupResources {
  group?: string & OmitZero;
  resources?: ListAtomic<string>;
  resourceNames?: ListAtomic<string>;
}

/** Many audit policies. */
export type PolicyList = ListOf<Policy>;

export const policy = configKind<Policy>({});

export const policyList = configKind<PolicyList>({});
