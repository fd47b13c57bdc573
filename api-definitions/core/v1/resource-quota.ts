import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, type AtomicStruct, kind, type ListAtomic, type Since } from "../../vocabulary.ts";
import type { ResourceList } from "./resources.ts";

/**
 * Limits the total resources and number of objects of a namespace. Requests that would exceed a limit are rejected. Use
 * a LimitRange to limit single pods and containers.
 */
export interface ResourceQuota extends Namespaced {
  /** Desired state of the ResourceQuota. */
  spec?: ResourceQuotaSpec & Always;
  /**
   * Observed state of the ResourceQuota, set by the quota controller and by the server on each request: enforced limits
   * and current use.
   */
  status?: ResourceQuotaStatus & Always;
}

/** Limits of a ResourceQuota, and the objects that they apply to. */
export interface ResourceQuotaSpec {
  /**
   * Maximum total of each resource in the namespace: compute resources such as `requests.cpu`, `limits.memory` or
   * `requests.nvidia.com/gpu`, storage such as `requests.storage`, or numbers of objects such as `pods`,
   * `services.loadbalancers` or `count/deployments.apps`. A quota on `cpu` or `memory` requires pods to specify
   * requests or limits for them.
   */
  hard?: ResourceList;
  /**
   * Scopes that an object must match, all of them, to be counted. Each scope applies to certain resources only, and
   * opposite scopes exclude each other. Cannot be changed after creation. Unset means all objects are counted.
   *
   * - `Terminating`: pods with `activeDeadlineSeconds`.
   * - `NotTerminating`: pods without `activeDeadlineSeconds`.
   * - `BestEffort`: pods of QoS class `BestEffort`. Allows a limit on `pods` only.
   * - `NotBestEffort`: pods of QoS class `Burstable` or `Guaranteed`.
   * - `PriorityClass`: pods with any PriorityClass; use `scopeSelector` to name some.
   * - `CrossNamespacePodAffinity`: pods with affinity or anti-affinity terms that select pods in other namespaces.
   * - `VolumeAttributesClass`: claims with any VolumeAttributesClass. Allows limits on `persistentvolumeclaims` and
   *   `requests.storage` only.
   */
  scopes?: ListAtomic<ResourceQuotaScope>;
  /**
   * Scopes that an object must match to be counted, with operators and values. If `scopes` is set as well, an object
   * must match both.
   */
  scopeSelector?: ScopeSelector & Since<"1.11">;
}

export type ResourceQuotaScope =
  /** Pods with `activeDeadlineSeconds`. */
  | "Terminating"
  /** Pods without `activeDeadlineSeconds`. */
  | "NotTerminating"
  /** Pods of QoS class `BestEffort`. Allows a limit on `pods` only. */
  | "BestEffort"
  /** Pods of QoS class `Burstable` or `Guaranteed`. */
  | "NotBestEffort"
  /** Pods with the PriorityClasses that the selector names, or with any. */
  | "PriorityClass"
  /** Pods with affinity or anti-affinity terms that select pods in other namespaces. */
  | "CrossNamespacePodAffinity"
  /**
   * Claims with the VolumeAttributesClasses that the selector names, or with any. Allows limits on
   * `persistentvolumeclaims` and `requests.storage` only.
   */
  | "VolumeAttributesClass";

/** Selects the objects that a ResourceQuota counts, by their scopes. */
export interface ScopeSelector extends AtomicStruct {
  /** Requirements that an object must meet, all of them, to be counted. */
  matchExpressions?: ListAtomic<ScopedResourceSelectorRequirement>;
}

/** A requirement on the scope of the objects that a ResourceQuota counts. */
export interface ScopedResourceSelectorRequirement {
  /** Scope that the requirement is about. */
  scopeName: ResourceQuotaScope;
  /**
   * Relation between the scope and `values`. Must be `Exists` for all scopes but `PriorityClass` and
   * `VolumeAttributesClass`.
   */
  operator: ScopeSelectorOperator;
  /**
   * Names to compare with, such as those of PriorityClasses. At least one is required for `In` and `NotIn`; not allowed
   * for `Exists` and `DoesNotExist`.
   */
  values?: ListAtomic<string>;
}

export type ScopeSelectorOperator =
  /** The value of the object is one of `values`. */
  | "In"
  /** The value of the object is none of `values`. */
  | "NotIn"
  /** The object is in the scope, whatever its value. */
  | "Exists"
  /** The object is not in the scope. */
  | "DoesNotExist";

/** Observed state of a ResourceQuota: enforced limits and current use. */
export interface ResourceQuotaStatus {
  /** Limits that are enforced, by resource: a copy of `spec.hard` that the quota controller updates. */
  hard?: ResourceList;
  /** Amount of each resource that the namespace uses at present. */
  used?: ResourceList;
}

export const resourceQuota = kind<ResourceQuota>({
  plural: "resourcequotas",
  generation: false,
  shortNames: ["quota"],
  introduced: "1.0",
  returnsDeleted: true,
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Request", type: "string", description: "Used and maximum amount of each resource except limits." },
    { name: "Limit", type: "string", description: "Used and maximum sum of the limits of pods, by resource." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
