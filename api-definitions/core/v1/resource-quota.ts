import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, type AtomicStruct, kind, type ListAtomic } from "../../vocabulary.ts";
import type { ResourceList } from "./resources.ts";

export interface ResourceQuota extends Namespaced {
  spec?: ResourceQuotaSpec & Always;
  status?: ResourceQuotaStatus & Always;
}

export interface ResourceQuotaSpec {
  hard?: ResourceList;
  scopes?: ListAtomic<ResourceQuotaScope>;
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

export interface ScopeSelector extends AtomicStruct {
  matchExpressions?: ListAtomic<ScopedResourceSelectorRequirement>;
}

export interface ScopedResourceSelectorRequirement {
  scopeName: ResourceQuotaScope;
  operator: ScopeSelectorOperator;
  values?: ListAtomic<string>;
}

export type ScopeSelectorOperator = "In" | "NotIn" | "Exists" | "DoesNotExist";

export interface ResourceQuotaStatus {
  hard?: ResourceList;
  used?: ResourceList;
}

export const resourceQuota = kind<ResourceQuota>({
  plural: "resourcequotas",
  returnsDeleted: true,
  shortNames: ["quota"],
  introduced: "1.0",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Request", type: "string" },
    { name: "Limit", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
