import { release } from "../../release.ts";

/** The annotation that says that zero shares are meant, not unset ones. */
export const PRESERVE_ZERO = `flowcontrol.${release.domain}/v1beta3-preserve-zero-concurrency-shares`;
