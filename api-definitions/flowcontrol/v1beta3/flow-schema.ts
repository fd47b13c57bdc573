import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  type Discriminator,
  type Int32,
  kind,
  type ListAtomic,
  type ListMap,
  type ListSet,
  type OmitZero,
  type Open,
  type OptionalKeys,
  type PatchMerge,
  type Time,
} from "../../vocabulary.ts";
import type { ConditionStatus } from "./conditions.ts";

/**
 * Assigns requests to a priority level and divides them into flows, so that the API server can treat clients fairly. Of
 * all flow schemas that match a request, the one with the lowest `matchingPrecedence` applies.
 */
export interface FlowSchema extends ClusterScoped {
  /** Desired state of the FlowSchema. That of the mandatory objects `exempt` and `catch-all` cannot be changed. */
  spec?: FlowSchemaSpec & Always;
  /** Observed state of the FlowSchema, set by the API server: whether its priority level exists. */
  status?: FlowSchemaStatus & Always;
}

/** Requests that a FlowSchema matches, and the priority level to which it assigns them. */
export interface FlowSchemaSpec {
  /**
   * Priority level to which the matching requests are assigned. Required. If it does not exist, the FlowSchema is
   * ignored and the condition `Dangling` is `True`.
   */
  priorityLevelConfiguration: PriorityLevelConfigurationReference;
  /**
   * Order in which flow schemas are tried: the lowest number that matches a request wins, and of equal numbers the
   * first name in alphabetical order. Must be between 1 and 10000. 1 is allowed only for the FlowSchema `exempt`.
   */
  matchingPrecedence?: Int32 & Always & Default<1000>;
  /**
   * How the requests are divided into flows, which share the priority level fairly. If unset, all requests of the
   * FlowSchema are one flow.
   */
  distinguisherMethod?: FlowDistinguisherMethod;
  /** Rules that select requests. A request matches if at least one rule matches. If empty, no request matches. */
  rules?: ListAtomic<PolicyRulesWithSubjects>;
}

/** Refers to a PriorityLevelConfiguration. */
export interface PriorityLevelConfigurationReference {
  /** Name of the PriorityLevelConfiguration. Must be a DNS subdomain. */
  name: string;
}

/** Specifies how the requests of a FlowSchema are divided into flows. */
export interface FlowDistinguisherMethod {
  /** Property of a request that identifies its flow. */
  type: FlowDistinguisherMethodType;
}

export type FlowDistinguisherMethodType = Open<
  /** Requests of the same user are one flow. */
  | "ByUser"
  /**
   * Requests for the same namespace are one flow; requests for cluster-scoped resources and non-resource URLs are one
   * more.
   */
  | "ByNamespace"
>;

/**
 * Selects requests by user and by action. A request matches if one of `subjects` and one of `resourceRules` or
 * `nonResourceRules` match. At least one of these two lists must have entries.
 */
export interface PolicyRulesWithSubjects {
  /**
   * Users, groups and service accounts whose requests match. At least one is required. A request matches if its user is
   * one of them.
   */
  subjects: ListAtomic<Subject>;
  /** Rules for requests for resources. Required if `nonResourceRules` is empty. */
  resourceRules?: ListAtomic<ResourcePolicyRule>;
  /** Rules for requests for paths outside the resources of the API. Required if `resourceRules` is empty. */
  nonResourceRules?: ListAtomic<NonResourcePolicyRule>;
}

/**
 * A user, group or service account whose requests a rule matches. Exactly the field that belongs to `kind` must be set.
 */
export interface Subject {
  /** Kind of the subject, which specifies the field to set. */
  kind: SubjectKind & Discriminator;
  /** User whose requests match. Required if `kind` is `User`, not allowed otherwise. */
  user?: UserSubject;
  /** Group whose members' requests match. Required if `kind` is `Group`, not allowed otherwise. */
  group?: GroupSubject;
  /** Service account whose requests match. Required if `kind` is `ServiceAccount`, not allowed otherwise. */
  serviceAccount?: ServiceAccountSubject;
}

export type SubjectKind = Open<
  /** A user, as specified in `user`. */
  | "User"
  /** A group of users, as specified in `group`. */
  | "Group"
  /** A service account, as specified in `serviceAccount`. */
  | "ServiceAccount"
>;

/** Selects requests by the name of the user. */
export interface UserSubject {
  /** Name of the user. `*` stands for all users. Must not be empty. */
  name: string;
}

/** Selects requests by the groups of the user. */
export interface GroupSubject {
  /** Name of the group. `*` stands for all groups. Must not be empty. */
  name: string;
}

/** Selects requests by service account. */
export interface ServiceAccountSubject {
  /** Namespace of the service account. Required, must be a DNS label. */
  namespace: string;
  /** Name of the service account. `*` stands for all service accounts of the namespace. Must not be empty. */
  name: string;
}

/**
 * Matches requests for resources. A request matches if its verb, API group and resource are listed, and its namespace
 * is listed or it has none and `clusterScope` is `true`.
 */
export interface ResourcePolicyRule {
  /**
   * Verbs that match: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection` or `proxy`. `*`
   * stands for all verbs and must be the only entry. At least one is required.
   */
  verbs: ListSet<string>;
  /**
   * API groups that match. An empty string stands for the core group. `*` stands for all groups and must be the only
   * entry. At least one is required.
   */
  apiGroups: ListSet<string>;
  /**
   * Resources that match, by plural name, such as `pods`. Subresources must be named separately, such as `pods/log`.
   * `*` stands for all resources and subresources and must be the only entry. At least one is required.
   */
  resources: ListSet<string>;
  /**
   * Whether requests without a namespace match, which are those for cluster-scoped resources or for all namespaces. If
   * `false` or unset, `namespaces` must have entries.
   */
  clusterScope?: boolean & OmitZero;
  /**
   * Namespaces whose requests match. `*` stands for all namespaces and must be the only entry; it does not include
   * requests without a namespace. May be empty only if `clusterScope` is `true`, and then only requests without a
   * namespace match.
   */
  namespaces?: ListSet<string> & Always;
}

/**
 * Matches requests for paths outside the resources of the API. A request matches if its verb and its path are listed.
 */
export interface NonResourcePolicyRule {
  /** Verbs that match, such as `get`. `*` stands for all verbs and must be the only entry. At least one is required. */
  verbs: ListSet<string>;
  /**
   * Paths that match. Each must begin with `/` and contain neither spaces nor `//`. `/healthz` matches this path only,
   * and with `/*` appended all paths below it. `*` stands for all paths and must be the only entry. At least one is
   * required.
   */
  nonResourceURLs: ListSet<string>;
}

/** Observed state of a FlowSchema. */
export interface FlowSchemaStatus {
  /** Conditions of the FlowSchema. `Dangling` is `True` if its priority level does not exist. */
  conditions?: ListMap<FlowSchemaCondition, "type"> & PatchMerge<"type"> & OptionalKeys;
}

/** One aspect of the observed state of a FlowSchema. */
export interface FlowSchemaCondition {
  /** Type of the condition, such as `Dangling`. Must not be empty. */
  type?: string & OmitZero;
  /** Status of the condition: `True`, `False` or `Unknown`. */
  status?: ConditionStatus & OmitZero;
  /** Time at which `status` last changed. */
  lastTransitionTime?: Time & Always;
  /** Machine-readable reason of the last transition, in CamelCase. */
  reason?: string & OmitZero;
  /** Human-readable details of the last transition. */
  message?: string & OmitZero;
}

export const flowSchema = kind<FlowSchema>({
  plural: "flowschemas",
  introduced: "1.26",
  deprecated: "1.29",
  removed: "1.32",
  replacement: "flowcontrol.apiserver.<domain>/v1 FlowSchema",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    {
      name: "PriorityLevel",
      type: "string",
      path: ".spec.priorityLevelConfiguration.name",
      description: "Name of the priority level.",
    },
    { name: "MatchingPrecedence", type: "string", description: "Order in which flow schemas are tried, lowest first." },
    { name: "DistinguisherMethod", type: "string", description: "How requests are divided into flows." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
    { name: "MissingPL", type: "string", description: "Whether the priority level is missing." },
  ],
});
