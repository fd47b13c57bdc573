import { warnOfFraction } from "./fractional-bytes.ts";
import type { PersistentVolumeClaimSpec } from "./persistent-volume-claim.ts";

/** Warns of a claim or claim template that requests a fraction of a byte. */
export function warnOfClaimSpec(spec: PersistentVolumeClaimSpec | undefined, path: string): string[] {
  return (["requests", "limits"] as const).flatMap((list) =>
    warnOfFraction(spec?.resources?.[list], "storage", `${path}.resources.${list}`),
  );
}
