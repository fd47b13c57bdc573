import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Bytes, kind } from "../../vocabulary.ts";

export interface RangeAllocation extends ClusterScoped {
  range: string;
  data: Bytes;
}

export const rangeAllocation = kind<RangeAllocation>({ unserved: true, introduced: "1.0" });
