import { warnOfFraction } from "./fractional-bytes.ts";
import type { PersistentVolumeClaimSpec } from "./persistent-volume-claim.ts";

/** What a claim, or the template of one, asks for in parts of bytes. */
export function warnOfClaimSpec(spec: PersistentVolumeClaimSpec | undefined, path: string): string[] {
  return (["requests", "limits"] as const).flatMap((list) =>
    warnOfFraction(spec?.resources?.[list], "storage", `${path}.resources.${list}`),
  );
}
