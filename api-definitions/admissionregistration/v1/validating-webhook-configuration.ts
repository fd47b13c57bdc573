import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import {
  type Default,
  type Int32,
  kind,
  type ListAtomic,
  type ListMap,
  type Nullable,
  type PatchMerge,
} from "../../vocabulary.ts";
import type { FailurePolicyType, MatchCondition, MatchPolicyType, RuleWithOperations } from "./rules.ts";
import type { SideEffectClass, WebhookClientConfig } from "./webhook-client-config.ts";

/** Webhooks that may refuse objects before they are stored. */
export interface ValidatingWebhookConfiguration extends ClusterScoped {
  webhooks?: ListMap<ValidatingWebhook, "name"> & PatchMerge<"name">;
}

export interface ValidatingWebhook {
  name: string;
  clientConfig: WebhookClientConfig;
  rules?: ListAtomic<RuleWithOperations>;
  failurePolicy?: FailurePolicyType & Default<"Fail">;
  matchPolicy?: MatchPolicyType & Default<"Equivalent">;
  namespaceSelector?: LabelSelector & Default<{}>;
  objectSelector?: LabelSelector & Default<{}>;
  sideEffects: SideEffectClass & Nullable;
  timeoutSeconds?: Int32 & Default<10>;
  admissionReviewVersions: ListAtomic<string>;
  matchConditions?: ListMap<MatchCondition, "name"> & PatchMerge<"name">;
}

export const validatingWebhookConfiguration = kind<ValidatingWebhookConfiguration>({
  plural: "validatingwebhookconfigurations",
  categories: ["api-extensions"],
  introduced: "1.16",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Webhooks", type: "integer", description: "How many webhooks there are." },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "How long ago the object was created.",
    },
  ],
});
