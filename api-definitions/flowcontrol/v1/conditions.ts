import type { Open } from "../../vocabulary.ts";

export type ConditionStatus = Open<
  /** The condition holds. */
  | "True"
  /** The condition does not hold. */
  | "False"
  /** The controller cannot determine whether the condition holds. */
  | "Unknown"
>;
