import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type ListAtomic, type Open } from "../../vocabulary.ts";
import type { ResourceList } from "./resources.ts";

export interface LimitRange extends Namespaced {
  spec?: LimitRangeSpec & Always;
}

export interface LimitRangeSpec {
  limits: ListAtomic<LimitRangeItem>;
}

export interface LimitRangeItem {
  type: LimitType;
  max?: ResourceList;
  min?: ResourceList;
  default?: ResourceList;
  defaultRequest?: ResourceList;
  maxLimitRequestRatio?: ResourceList;
}

export type LimitType = Open<"Pod" | "Container" | "PersistentVolumeClaim">;

export const limitRange = kind<LimitRange>({
  plural: "limitranges",
  shortNames: ["limits"],
  introduced: "1.0",
  createOnUpdate: true,
});
