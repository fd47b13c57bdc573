import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  type Discriminator,
  type Int32,
  kind,
  type ListMap,
  type Nullable,
  type OmitZero,
  type Open,
  type PatchMerge,
  type Time,
} from "../../vocabulary.ts";
import type { ConditionStatus } from "./conditions.ts";

/** How many requests of a priority level run at once, and how long others wait. */
export interface PriorityLevelConfiguration extends ClusterScoped {
  /** What is asked for. */
  spec?: PriorityLevelConfigurationSpec & Always;
  /** What is the case, as last seen. */
  status?: PriorityLevelConfigurationStatus & Always;
}

export interface PriorityLevelConfigurationSpec {
  type: PriorityLevelEnablement & Discriminator;
  limited?: LimitedPriorityLevelConfiguration;
  exempt?: ExemptPriorityLevelConfiguration;
}

export type PriorityLevelEnablement = Open<"Exempt" | "Limited">;

export interface LimitedPriorityLevelConfiguration {
  nominalConcurrencyShares?: Int32 & Nullable & Default<30>;
  limitResponse?: LimitResponse & Always;
  lendablePercent?: Int32 & Default<0>;
  borrowingLimitPercent?: Int32;
}

export interface LimitResponse {
  type: LimitResponseType & Discriminator;
  queuing?: QueuingConfiguration;
}

export type LimitResponseType = Open<"Queue" | "Reject">;

export interface QueuingConfiguration {
  queues?: Int32 & Always & Default<64>;
  handSize?: Int32 & Always & Default<8>;
  queueLengthLimit?: Int32 & Always & Default<50>;
}

export interface ExemptPriorityLevelConfiguration {
  nominalConcurrencyShares?: Int32 & Default<0>;
  lendablePercent?: Int32 & Default<0>;
}

export interface PriorityLevelConfigurationStatus {
  conditions?: ListMap<PriorityLevelConfigurationCondition, "type"> & PatchMerge<"type">;
}

export interface PriorityLevelConfigurationCondition {
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

export const priorityLevelConfiguration = kind<PriorityLevelConfiguration>({
  plural: "prioritylevelconfigurations",
  introduced: "1.29",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Type", type: "string", path: ".spec.type", description: "Type of the object." },
    { name: "NominalConcurrencyShares", type: "string", description: "Its share of the requests that run at once." },
    { name: "Queues", type: "string", description: "How many queues there are." },
    { name: "HandSize", type: "string", description: "How many queues a flow may use." },
    { name: "QueueLengthLimit", type: "string", description: "How long a queue may get." },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "How long ago the object was created.",
    },
  ],
});
