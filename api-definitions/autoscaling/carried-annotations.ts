import { release } from "../release.ts";

/** Annotations in which autoscaling/v1 keeps what it has no fields for begin with this. */
export const PREFIX = `autoscaling.alpha.${release.vendor}.io`;
export const METRICS = `${PREFIX}/metrics`;
export const CURRENT_METRICS = `${PREFIX}/current-metrics`;
export const CONDITIONS = `${PREFIX}/conditions`;
export const BEHAVIOR = `${PREFIX}/behavior`;
