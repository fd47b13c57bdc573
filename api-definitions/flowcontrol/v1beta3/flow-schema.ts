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

/** Sorts requests into priority levels. */
export interface FlowSchema extends ClusterScoped {
  /** What is asked for. */
  spec?: FlowSchemaSpec & Always;
  /** What is the case, as last seen. */
  status?: FlowSchemaStatus & Always;
}

/** Which requests go to which priority level. */
export interface FlowSchemaSpec {
  /** The priority level. */
  priorityLevelConfiguration: PriorityLevelConfigurationReference;
  /** Which schema is tried first; lower goes first. */
  matchingPrecedence?: Int32 & Always & Default<1000>;
  /** How flows are told apart. */
  distinguisherMethod?: FlowDistinguisherMethod;
  /** Requests that count. */
  rules?: ListAtomic<PolicyRulesWithSubjects>;
}

/** A priority level. */
export interface PriorityLevelConfigurationReference {
  /** Its name. */
  name: string;
}

/** How flows are told apart. */
export interface FlowDistinguisherMethod {
  /** By user or by namespace. */
  type: FlowDistinguisherMethodType;
}

export type FlowDistinguisherMethodType = Open<"ByUser" | "ByNamespace">;

/** Requests: who does what. */
export interface PolicyRulesWithSubjects {
  /** Who. */
  subjects: ListAtomic<Subject>;
  /** What with resources. */
  resourceRules?: ListAtomic<ResourcePolicyRule>;
  /** What outside the API. */
  nonResourceRules?: ListAtomic<NonResourcePolicyRule>;
}

/** Somebody who makes requests; one of the three. */
export interface Subject {
  /** Which one. */
  kind: SubjectKind & Discriminator;
  /** A user. */
  user?: UserSubject;
  /** A group. */
  group?: GroupSubject;
  /** A service account. */
  serviceAccount?: ServiceAccountSubject;
}

export type SubjectKind = Open<"User" | "Group" | "ServiceAccount">;

/** A user. */
export interface UserSubject {
  /** Name of the user; `*` for all. */
  name: string;
}

/** A group. */
export interface GroupSubject {
  /** Name of the group; `*` for all. */
  name: string;
}

/** A service account. */
export interface ServiceAccountSubject {
  /** Its namespace. */
  namespace: string;
  /** Its name; `*` for all. */
  name: string;
}

/** Something done with resources. */
export interface ResourcePolicyRule {
  /** What; `*` for everything. */
  verbs: ListSet<string>;
  /** Groups of the resources; `*` for all. */
  apiGroups: ListSet<string>;
  /** With which resources; `*` for all. */
  resources: ListSet<string>;
  /** Whether requests without namespace count. */
  clusterScope?: boolean & OmitZero;
  /** In which namespaces; `*` for all. */
  namespaces?: ListSet<string> & Always;
}

/** Something done outside the API. */
export interface NonResourcePolicyRule {
  /** What; `*` for everything. */
  verbs: ListSet<string>;
  /** With which paths; `*` for all. */
  nonResourceURLs: ListSet<string>;
}

/** What came of a schema. */
export interface FlowSchemaStatus {
  /** Whether its priority level exists. */
  conditions?: ListMap<FlowSchemaCondition, "type"> & PatchMerge<"type"> & OptionalKeys;
}

/** One finding about an object. */
export interface FlowSchemaCondition {
  /** What the finding is about. */
  type?: string & OmitZero;
  /** Whether it holds: `True`, `False` or `Unknown`. */
  status?: ConditionStatus & OmitZero;
  /** When the status last changed. */
  lastTransitionTime?: Time & Always;
  /** A word for the cause. */
  reason?: string & OmitZero;
  /** The cause, for people. */
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
      description: "The priority level.",
    },
    { name: "MatchingPrecedence", type: "string", description: "Which schema is tried first; lower goes first." },
    { name: "DistinguisherMethod", type: "string", description: "How flows are told apart." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
    { name: "MissingPL", type: "string", description: "Whether the priority level is missing." },
  ],
});
