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

export interface FlowSchemaSpec {
  priorityLevelConfiguration: PriorityLevelConfigurationReference;
  matchingPrecedence?: Int32 & Always & Default<1000>;
  distinguisherMethod?: FlowDistinguisherMethod;
  rules?: ListAtomic<PolicyRulesWithSubjects>;
}

export interface PriorityLevelConfigurationReference {
  name: string;
}

export interface FlowDistinguisherMethod {
  type: FlowDistinguisherMethodType;
}

export type FlowDistinguisherMethodType = Open<"ByUser" | "ByNamespace">;

export interface PolicyRulesWithSubjects {
  subjects: ListAtomic<Subject>;
  resourceRules?: ListAtomic<ResourcePolicyRule>;
  nonResourceRules?: ListAtomic<NonResourcePolicyRule>;
}

export interface Subject {
  kind: SubjectKind & Discriminator;
  user?: UserSubject;
  group?: GroupSubject;
  serviceAccount?: ServiceAccountSubject;
}

export type SubjectKind = Open<"User" | "Group" | "ServiceAccount">;

export interface UserSubject {
  name: string;
}

export interface GroupSubject {
  name: string;
}

export interface ServiceAccountSubject {
  namespace: string;
  name: string;
}

export interface ResourcePolicyRule {
  verbs: ListSet<string>;
  apiGroups: ListSet<string>;
  resources: ListSet<string>;
  clusterScope?: boolean & OmitZero;
  namespaces?: ListSet<string> & Always;
}

export interface NonResourcePolicyRule {
  verbs: ListSet<string>;
  nonResourceURLs: ListSet<string>;
}

export interface FlowSchemaStatus {
  conditions?: ListMap<FlowSchemaCondition, "type">;
}

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
  introduced: "1.20",
  deprecated: "1.23",
  removed: "1.26",
  replacement: "flowcontrol.apiserver.<domain>/v1beta3 FlowSchema",
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
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "How long ago the object was created.",
    },
    { name: "MissingPL", type: "string", description: "Whether the priority level is missing." },
  ],
});
