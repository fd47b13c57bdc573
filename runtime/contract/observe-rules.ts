/** Told how long the compilation of the CEL rules of a custom kind took, or their evaluation for one object. */
export type ObserveRules = (step: "compilation" | "evaluation", milliseconds: number) => void;
