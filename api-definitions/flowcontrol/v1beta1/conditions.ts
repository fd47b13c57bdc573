import type { Open } from "../../vocabulary.ts";

export type ConditionStatus = Open<"True" | "False" | "Unknown">;
