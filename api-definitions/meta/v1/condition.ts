import type { Int64, OmitZero, Open, Time } from "../../vocabulary.ts";

/**
 * One aspect of the observed state of an object, such as whether it is ready. Controllers set conditions in `status`;
 * clients wait for them and show them.
 */
export interface Condition {
  /**
   * Type of the condition, such as `Ready`, or with a prefix, such as `example.com/Ready`. Must be a qualified name and
   * occur once in a list of conditions.
   */
  type: string;
  /** Status of the condition: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /**
   * Value of `metadata.generation` of the object on which the condition is based. If it is lower than the current
   * generation, the condition does not yet reflect the latest change.
   */
  observedGeneration?: Int64 & OmitZero;
  /** Time at which `status` last changed. */
  lastTransitionTime: Time;
  /**
   * Machine-readable reason of the last transition, in CamelCase. Required, at most 1024 bytes long. Must start with a
   * letter, contain only letters, digits, `_`, `,` and `:`, and not end with `,` or `:`.
   */
  reason: string;
  /** Human-readable details of the last transition. May be empty, at most 32768 bytes long. */
  message: string;
}

export type ConditionStatus = Open<"True" | "False" | "Unknown">;
