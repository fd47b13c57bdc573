import type { Int64, OmitZero, Open, Time } from "../../vocabulary.ts";

export interface Condition {
  type: string;
  status: ConditionStatus;
  observedGeneration?: Int64 & OmitZero;
  lastTransitionTime: Time;
  reason: string;
  message: string;
}

export type ConditionStatus = Open<"True" | "False" | "Unknown">;
