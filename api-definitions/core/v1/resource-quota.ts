import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, type AtomicStruct, kind, type ListAtomic } from "../../vocabulary.ts";
import type { ResourceList } from "./resources.ts";

/** Limits on what a namespace may use in total. */
export interface ResourceQuota extends Namespaced {
  /** What is asked for. */
  spec?: ResourceQuotaSpec & Always;
  /** What is the case, as last seen. */
  status?: ResourceQuotaStatus & Always;
}

/** The limits. */
export interface ResourceQuotaSpec {
  /** The most that may be used, by resource. */
  hard?: ResourceList;
  /** Which objects count; all must hold. */
  scopes?: ListAtomic<ResourceQuotaScope>;
  /** Which objects count, told in more detail. */
  scopeSelector?: ScopeSelector;
}

export type ResourceQuotaScope =
  | "Terminating"
  | "NotTerminating"
  | "BestEffort"
  | "NotBestEffort"
  | "PriorityClass"
  | "CrossNamespacePodAffinity"
  | "VolumeAttributesClass";

/** Which objects a quota counts. */
export interface ScopeSelector extends AtomicStruct {
  /** Demands that must all hold. */
  matchExpressions?: ListAtomic<ScopedResourceSelectorRequirement>;
}

/** A demand on the objects a quota counts. */
export interface ScopedResourceSelectorRequirement {
  /** The scope. */
  scopeName: ResourceQuotaScope;
  /** How it relates to the values. */
  operator: ScopeSelectorOperator;
  /** What it is compared with. */
  values?: ListAtomic<string>;
}

export type ScopeSelectorOperator = "In" | "NotIn" | "Exists" | "DoesNotExist";

/** What is used. */
export interface ResourceQuotaStatus {
  /** The limits in force. */
  hard?: ResourceList;
  /** What is used now. */
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
    { name: "Request", type: "string", description: "What is requested, and how much may be." },
    { name: "Limit", type: "string", description: "What limits add up to, and how much they may." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
