import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type ListAtomic, type Open } from "../../vocabulary.ts";
import type { ResourceList } from "./resources.ts";

/**
 * Limits and defaults for the resources of single pods, containers and claims in a namespace. They apply when objects
 * are created or resized; existing objects are not affected. Use a ResourceQuota to limit the total of the namespace.
 */
export interface LimitRange extends Namespaced {
  /** Desired state of the LimitRange. */
  spec?: LimitRangeSpec & Always;
}

/** Limits and defaults of a LimitRange. */
export interface LimitRangeSpec {
  /** Limits and defaults by type of object, at most one entry per type. */
  limits: ListAtomic<LimitRangeItem>;
}

/**
 * Limits and defaults for one type of object. Within a resource `min` <= `defaultRequest` <= `default` <= `max` must
 * hold.
 */
export interface LimitRangeItem {
  /**
   * Type of object that the entry applies to. Other types must have a domain prefix, such as `example.com/image`, and
   * are not enforced by the server.
   */
  type: LimitType;
  /**
   * Maximum of each resource: the limits of a pod or container, or the size of a claim, may not exceed it. Limits
   * become required for these resources.
   */
  max?: ResourceList;
  /**
   * Minimum of each resource: the requests of a pod or container, or the size of a claim, may not be below it. Requests
   * become required for these resources. Type `PersistentVolumeClaim` requires `storage` in `min` or `max`.
   */
  min?: ResourceList;
  /** Limits for containers that specify none. Defaults to `max` for type `Container`. Not allowed for type `Pod`. */
  default?: ResourceList;
  /**
   * Requests for containers that specify none. Defaults to `default`, or else to `min`, for type `Container`. Not
   * allowed for type `Pod`.
   */
  defaultRequest?: ResourceList;
  /**
   * Maximum ratio of limit to request, by resource: `2` allows a limit of at most twice the request. Must be at least 1
   * and at most `max` divided by `min`. Requests and limits become required for these resources.
   */
  maxLimitRequestRatio?: ResourceList;
}

export type LimitType = Open<
  /** All containers of a pod together. */
  | "Pod"
  /** Each container of a pod, including init containers. */
  | "Container"
  /** The size that each claim requests. */
  | "PersistentVolumeClaim"
>;

export const limitRange = kind<LimitRange>({
  plural: "limitranges",
  shortNames: ["limits"],
  introduced: "1.0",
  createOnUpdate: true,
});
