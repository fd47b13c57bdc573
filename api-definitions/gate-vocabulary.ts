import type { Release } from "./project-vocabulary.ts";

type Stage = "alpha" | "beta" | "stable" | "deprecated";
type State = "" | " on" | " off";
type Lock = "" | " locked" | " unlocked";

/** `beta 1.24`, `beta 1.32 off`, `deprecated 1.32 locked`: from that release on, until the next step. */
export type GateStepText = `${Stage} ${Release}${State}${Lock}`;

export interface GateDeclaration {
  /** In the order of releases. */
  steps: GateStepText[];
  /** The first release that refuses the gate. */
  dropped?: Release;
}

export function gates<Names extends string>(
  declarations: Record<Names, GateDeclaration>,
): Record<Names, GateDeclaration> {
  return declarations;
}
