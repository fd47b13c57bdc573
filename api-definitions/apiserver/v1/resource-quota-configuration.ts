import type { ScopedResourceSelectorRequirement } from "../../core/v1/resource-quota.ts";
import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { type Always, configKind } from "../../vocabulary.ts";

/** Settings of the plugin ResourceQuota. */
export interface ResourceQuotaConfiguration extends TypeMeta {
  /** What may be used only where a quota says how much of it. */
  limitedResources?: LimitedResource[] & Always;
}

/** Something of a resource that needs a quota. */
export interface LimitedResource {
  /** Group of the resource. */
  apiGroup?: string;
  /** The resource. */
  resource: string;
  /** Parts of the names of what is limited: `requests.storage`. */
  matchContains?: string[];
  /** Scopes that are limited. */
  matchScopes?: ScopedResourceSelectorRequirement[];
}

export const resourceQuotaConfiguration = configKind<ResourceQuotaConfiguration>({
  group: "apiserver.config.<domain>",
  aliases: [
    "resourcequota.admission.<domain>/v1beta1 Configuration",
    "resourcequota.admission.<domain>/v1alpha1 Configuration",
  ],
});
