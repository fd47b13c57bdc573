import type { ObjectMeta } from "../meta/v1/object-meta.ts";
import { release } from "../release.ts";

/** Prefix of the annotations in which autoscaling/v1 has what it lacks fields for. */
export const PREFIX = `autoscaling.alpha.${release.vendor}.io`;
export const METRICS = `${PREFIX}/metrics`;
export const CURRENT_METRICS = `${PREFIX}/current-metrics`;
export const CONDITIONS = `${PREFIX}/conditions`;
export const BEHAVIOR = `${PREFIX}/behavior`;
/** Annotations of autoscaling/v2beta2, by the rules whose tolerance they hold. */
export const TOLERANCES = {
  scaleDown: `${PREFIX}/scale-down-tolerance`,
  scaleUp: `${PREFIX}/scale-up-tolerance`,
} as const;

const CARRIED = [METRICS, CURRENT_METRICS, CONDITIONS, BEHAVIOR, ...Object.values(TOLERANCES)];

/** Metadata without these annotations: versions with the fields do not have them. */
export function withoutCarried(metadata: ObjectMeta | undefined): ObjectMeta | undefined {
  const { annotations, ...others } = metadata ?? {};
  if (annotations === undefined || !CARRIED.some((key) => Object.hasOwn(annotations, key))) return metadata;
  const kept = Object.entries(annotations).filter(([key]) => !CARRIED.includes(key));
  return kept.length === 0 ? others : { ...metadata, annotations: Object.fromEntries(kept) };
}
