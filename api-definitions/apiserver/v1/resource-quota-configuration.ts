import type { ScopedResourceSelectorRequirement } from "../../core/v1/resource-quota.ts";
import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { type Always, configKind } from "../../vocabulary.ts";

/**
 * Configuration of the admission plugin ResourceQuota: resources that may only be consumed in namespaces where a
 * ResourceQuota limits them.
 */
export interface ResourceQuotaConfiguration extends TypeMeta {
  /**
   * Resources whose consumption needs a ResourceQuota. Without entries, resources that no quota mentions are unlimited.
   */
  limitedResources?: LimitedResource[] & Always;
}

/** Consumption of a resource that is rejected unless a ResourceQuota of the namespace limits it. */
export interface LimitedResource {
  /** API group of the resource. Empty is the core group. */
  apiGroup?: string;
  /** Plural name of the resource, such as `pods` or `persistentvolumeclaims`. Required. */
  resource: string;
  /**
   * Parts of the names of consumed quota resources, as in `spec.hard` of a ResourceQuota: an object that consumes a
   * resource whose name contains one of them is rejected, unless a quota limits that resource.
   * `.storageclass.storage.k8s.io/requests.storage` matches the storage of every storage class.
   */
  matchContains?: string[];
  /**
   * Scopes that need a quota: an object in one of these scopes, such as a pod with a certain PriorityClass, is rejected
   * unless a ResourceQuota selects the same scope.
   */
  matchScopes?: ScopedResourceSelectorRequirement[];
}

export const resourceQuotaConfiguration = configKind<ResourceQuotaConfiguration>({
  group: "apiserver.config.<domain>",
  aliases: [
    "resourcequota.admission.<domain>/v1beta1 Configuration",
    "resourcequota.admission.<domain>/v1alpha1 Configuration",
  ],
});
