import type { EmptyStruct } from "../../vocabulary.ts";

/**
 * Body of a patch request. Its format follows from the content type: JSON Patch, JSON Merge Patch, strategic merge
 * patch or an apply patch.
 */
export type Patch = EmptyStruct;
