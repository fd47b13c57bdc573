import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Bytes, kind } from "../../vocabulary.ts";

/**
 * Record of the IP addresses or ports of a range that are allocated. Servers use it to share the ranges of Services
 * among themselves; it is not served as a resource.
 */
export interface RangeAllocation extends ClusterScoped {
  /** Range of the allocation: a network in CIDR notation, or ports such as `30000-32767`. */
  range: string;
  /** Bitmap of the allocated items, encoded in base64: bit n stands for the item at offset n of the range. */
  data: Bytes;
}

export const rangeAllocation = kind<RangeAllocation>({ unserved: true, introduced: "1.0" });
