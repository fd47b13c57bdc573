import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Bytes, kind } from "../../vocabulary.ts";

/** Which addresses or ports of a range are taken, as servers keep it among themselves. */
export interface RangeAllocation extends ClusterScoped {
  /** The range. */
  range: string;
  /** A bitmap of what is taken. */
  data: Bytes;
}

export const rangeAllocation = kind<RangeAllocation>({ unserved: true, introduced: "1.0" });
