import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  type Discriminator,
  type Int32,
  kind,
  type ListMap,
  type OmitZero,
  type Open,
  type PatchMerge,
  type Time,
} from "../../vocabulary.ts";
import type { ConditionStatus } from "./conditions.ts";

export interface PriorityLevelConfiguration extends ClusterScoped {
  spec?: PriorityLevelConfigurationSpec & Always;
  status?: PriorityLevelConfigurationStatus & Always;
}

export interface PriorityLevelConfigurationSpec {
  type: PriorityLevelEnablement & Discriminator;
  limited?: LimitedPriorityLevelConfiguration;
  exempt?: ExemptPriorityLevelConfiguration;
}

export type PriorityLevelEnablement = Open<"Exempt" | "Limited">;

export interface LimitedPriorityLevelConfiguration {
  nominalConcurrencyShares?: Int32 & Always;
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
  type?: string & OmitZero;
  status?: ConditionStatus & OmitZero;
  lastTransitionTime?: Time & Always;
  reason?: string & OmitZero;
  message?: string & OmitZero;
}

export const priorityLevelConfiguration = kind<PriorityLevelConfiguration>({
  plural: "prioritylevelconfigurations",
  introduced: "1.26",
  deprecated: "1.29",
  removed: "1.32",
  replacement: "flowcontrol.apiserver.<domain>/v1 PriorityLevelConfiguration",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Type", type: "string", path: ".spec.type" },
    { name: "NominalConcurrencyShares", type: "string" },
    { name: "Queues", type: "string" },
    { name: "HandSize", type: "string" },
    { name: "QueueLengthLimit", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
