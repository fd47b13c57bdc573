import type { Release } from "./vocabulary.ts";

export interface MetricDeclaration {
  stability: "ALPHA" | "BETA" | "STABLE";
  introduced?: Release;
  /** From this release on its help says so; three releases later it is hidden, one later it is gone. */
  deprecated?: Release;
}

export function metrics<Names extends string>(
  declarations: Record<Names, MetricDeclaration>,
): Record<Names, MetricDeclaration> {
  return declarations;
}
