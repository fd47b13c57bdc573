import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type ListAtomic, type Open } from "../../vocabulary.ts";
import type { ResourceList } from "./resources.ts";

/** Limits and defaults for what single pods, containers and claims of a namespace may ask for. */
export interface LimitRange extends Namespaced {
  /** What is asked for. */
  spec?: LimitRangeSpec & Always;
}

/** The limits of a namespace. */
export interface LimitRangeSpec {
  /** One entry per sort of object. */
  limits: ListAtomic<LimitRangeItem>;
}

/** Limits and defaults for one sort of object. */
export interface LimitRangeItem {
  /** `Pod`, `Container` or `PersistentVolumeClaim`. */
  type: LimitType;
  /** The most that may be asked for. */
  max?: ResourceList;
  /** The least that may be asked for. */
  min?: ResourceList;
  /** Limits for those who give none. */
  default?: ResourceList;
  /** Requests for those who give none. */
  defaultRequest?: ResourceList;
  /** How many times its request a limit may be. */
  maxLimitRequestRatio?: ResourceList;
}

export type LimitType = Open<"Pod" | "Container" | "PersistentVolumeClaim">;

export const limitRange = kind<LimitRange>({
  plural: "limitranges",
  shortNames: ["limits"],
  introduced: "1.0",
  createOnUpdate: true,
});
