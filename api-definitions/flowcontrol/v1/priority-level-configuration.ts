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
  type OptionalKeys,
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

/** How the requests of a level are treated. */
export interface PriorityLevelConfigurationSpec {
  /** Whether the level is limited. */
  type: PriorityLevelEnablement & Discriminator;
  /** Limits of a limited level. */
  limited?: LimitedPriorityLevelConfiguration;
  /** Settings of a level without limits. */
  exempt?: ExemptPriorityLevelConfiguration;
}

export type PriorityLevelEnablement = Open<"Exempt" | "Limited">;

/** Limits of a level. */
export interface LimitedPriorityLevelConfiguration {
  /** Its share of the requests that run at once. */
  nominalConcurrencyShares?: Int32 & Nullable & Default<30>;
  /** What happens to requests beyond its share. */
  limitResponse?: LimitResponse & Always;
  /** Share of its seats that others may borrow. */
  lendablePercent?: Int32 & Default<0>;
  /** How many seats it may borrow from others. */
  borrowingLimitPercent?: Int32;
}

/** What happens to requests beyond a level's share. */
export interface LimitResponse {
  /** Whether they wait or are refused. */
  type: LimitResponseType & Discriminator;
  /** How they wait. */
  queuing?: QueuingConfiguration;
}

export type LimitResponseType = Open<"Queue" | "Reject">;

/** How requests wait. */
export interface QueuingConfiguration {
  /** How many queues there are. */
  queues?: Int32 & Always & Default<64>;
  /** How many queues a flow may use. */
  handSize?: Int32 & Always & Default<8>;
  /** How long a queue may get. */
  queueLengthLimit?: Int32 & Always & Default<50>;
}

/** Settings of a level without limits. */
export interface ExemptPriorityLevelConfiguration {
  /** Its share of the requests that run at once. */
  nominalConcurrencyShares?: Int32 & Default<0>;
  /** Share of its seats that others may borrow. */
  lendablePercent?: Int32 & Default<0>;
}

/** What came of a level. */
export interface PriorityLevelConfigurationStatus {
  /** Findings about it. */
  conditions?: ListMap<PriorityLevelConfigurationCondition, "type"> & PatchMerge<"type"> & OptionalKeys;
}

/** One finding about an object. */
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
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
