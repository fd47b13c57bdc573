/** Receives the duration of compiling the CEL rules of a custom kind, or of evaluating them for one object. */
export type ObserveRules = (step: "compilation" | "evaluation", milliseconds: number) => void;
