import { release } from "../../release.ts";

/** Annotation that prevents zero shares from being replaced by the default. */
export const PRESERVE_ZERO = `flowcontrol.${release.domain}/v1beta3-preserve-zero-concurrency-shares`;
