import { release } from "../release.ts";

/** Prefix of the annotations in which autoscaling/v1 has what it lacks fields for. */
export const PREFIX = `autoscaling.alpha.${release.vendor}.io`;
export const METRICS = `${PREFIX}/metrics`;
export const CURRENT_METRICS = `${PREFIX}/current-metrics`;
export const CONDITIONS = `${PREFIX}/conditions`;
export const BEHAVIOR = `${PREFIX}/behavior`;
