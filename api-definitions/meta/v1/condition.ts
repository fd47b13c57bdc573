import type { Int64, OmitZero, Open, Time } from "../../vocabulary.ts";

/** One finding about an object. */
export interface Condition {
  /** What the finding is about. */
  type: string;
  /** Whether it holds: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** Generation of the object that was looked at. */
  observedGeneration?: Int64 & OmitZero;
  /** When the status last changed. */
  lastTransitionTime: Time;
  /** A word for the cause. */
  reason: string;
  /** The cause, for people. */
  message: string;
}

export type ConditionStatus = Open<"True" | "False" | "Unknown">;
