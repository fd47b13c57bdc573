import type { EmptyStruct } from "../../vocabulary.ts";

/** The body of a patch, in whichever of the patch formats the request names. */
export type Patch = EmptyStruct;
