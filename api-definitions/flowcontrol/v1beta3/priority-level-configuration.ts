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
  type OptionalKeys,
  type PatchMerge,
  type Since,
  type Time,
} from "../../vocabulary.ts";
import type { ConditionStatus } from "./conditions.ts";

/**
 * A priority level: how many requests the API server processes for it at the same time, and whether further requests
 * wait or are rejected. Flow schemas assign requests to priority levels.
 */
export interface PriorityLevelConfiguration extends ClusterScoped {
  /**
   * Desired state of the PriorityLevelConfiguration. That of the mandatory object `catch-all` cannot be changed, and of
   * `exempt` only the field `exempt`.
   */
  spec?: PriorityLevelConfigurationSpec & Always;
  /** Observed state of the PriorityLevelConfiguration, set by the API server: its conditions. */
  status?: PriorityLevelConfigurationStatus & Always;
}

/** Limits of a priority level. */
export interface PriorityLevelConfigurationSpec {
  /**
   * Whether the concurrency of the priority level is limited. Must be `Exempt` for the object `exempt`, and `Limited`
   * for all others.
   */
  type: PriorityLevelEnablement & Discriminator;
  /** Limits of the priority level. Required if `type` is `Limited`, not allowed otherwise. */
  limited?: LimitedPriorityLevelConfiguration;
  /** Settings of an exempt priority level. Optional if `type` is `Exempt`, not allowed otherwise. */
  exempt?: ExemptPriorityLevelConfiguration & Since<"1.28">;
}

export type PriorityLevelEnablement = Open<
  /** Requests of the priority level are always processed immediately, without a limit. */
  | "Exempt"
  /** The number of concurrent requests is limited; others wait or are rejected. */
  | "Limited"
>;

/**
 * Limits of a priority level whose concurrency is limited. Concurrency is counted in seats: most requests occupy one
 * seat, expensive ones several.
 */
export interface LimitedPriorityLevelConfiguration {
  /**
   * Weight with which the priority level shares the concurrency limit of the server. Its nominal number of seats is the
   * limit of the server multiplied by this weight, divided by the sum of the weights of all priority levels and rounded
   * up. Other levels get fewer seats if it is increased. Must not be negative. Defaults to `30`; 0 is replaced by the
   * default, unless the annotation `flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares` is set.
   */
  nominalConcurrencyShares?: Int32 & Always;
  /** What happens to requests that cannot be processed immediately. */
  limitResponse?: LimitResponse & Always;
  /**
   * Percentage of the nominal seats that other priority levels may borrow while they are not used. Must be between 0
   * and 100.
   */
  lendablePercent?: Int32 & Default<0>;
  /**
   * Maximum number of seats that this priority level may borrow from others, as a percentage of its nominal seats. May
   * be greater than 100, must not be negative. 0 means that it does not borrow. If unset, it may borrow without limit.
   */
  borrowingLimitPercent?: Int32;
}

/** Handling of requests for which a priority level has no free seat. */
export interface LimitResponse {
  /** Whether the requests wait or are rejected. */
  type: LimitResponseType & Discriminator;
  /** Configuration of the queues. Required if `type` is `Queue`, not allowed otherwise. */
  queuing?: QueuingConfiguration;
}

export type LimitResponseType = Open<
  /** Requests wait in queues, and are rejected only if their queue is full or they wait too long. */
  | "Queue"
  /** Requests are rejected immediately with `429 Too Many Requests`. */
  | "Reject"
>;

/**
 * Configuration of the queues of a priority level. Each flow is assigned a few of the queues, so that a flow with many
 * requests delays only few others.
 */
export interface QueuingConfiguration {
  /**
   * Number of queues of the priority level. Must be between 1 and 10000000. With 1, all flows share a queue and
   * `distinguisherMethod` of flow schemas has no effect. More queues reduce the chance that flows delay each other but
   * need more memory.
   */
  queues?: Int32 & Always & Default<64>;
  /**
   * Number of queues that are assigned to a flow by its hash; each request of the flow waits in the shortest of them.
   * Must be positive and not greater than `queues`, and the number of possible assignments must fit into 60 bits. A
   * small number protects other flows from a flow with many requests, a large one lets a single flow use more queues.
   */
  handSize?: Int32 & Always & Default<8>;
  /**
   * Maximum number of requests that wait in a queue. Further requests are rejected with `429 Too Many Requests`. Must
   * be positive.
   */
  queueLengthLimit?: Int32 & Always & Default<50>;
}

/**
 * Settings of an exempt priority level. Its requests are never limited; the settings only specify which seats it lends
 * to other levels.
 */
export interface ExemptPriorityLevelConfiguration {
  /**
   * Weight with which seats of the server are reserved for the priority level; unused ones can be lent to other levels.
   * It does not limit the level. Must not be negative.
   */
  nominalConcurrencyShares?: Int32 & Default<0>;
  /**
   * Percentage of the nominal seats that other priority levels may borrow while they are not used. Must be between 0
   * and 100.
   */
  lendablePercent?: Int32 & Default<0>;
}

/** Observed state of a PriorityLevelConfiguration. */
export interface PriorityLevelConfigurationStatus {
  /** Conditions of the PriorityLevelConfiguration. Each type may occur once. */
  conditions?: ListMap<PriorityLevelConfigurationCondition, "type"> & PatchMerge<"type"> & OptionalKeys;
}

/** One aspect of the observed state of a PriorityLevelConfiguration. */
export interface PriorityLevelConfigurationCondition {
  /** Type of the condition. Must not be empty. */
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

export const priorityLevelConfiguration = kind<PriorityLevelConfiguration>({
  plural: "prioritylevelconfigurations",
  introduced: "1.26",
  deprecated: "1.29",
  removed: "1.32",
  replacement: "flowcontrol.apiserver.<domain>/v1 PriorityLevelConfiguration",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    {
      name: "Type",
      type: "string",
      path: ".spec.type",
      description: "Whether the priority level is limited or exempt.",
    },
    { name: "NominalConcurrencyShares", type: "string", description: "Share of the concurrency limit of the server." },
    { name: "Queues", type: "string", description: "Number of queues." },
    { name: "HandSize", type: "string", description: "Number of queues from which a flow chooses." },
    { name: "QueueLengthLimit", type: "string", description: "Maximum number of waiting requests in a queue." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
