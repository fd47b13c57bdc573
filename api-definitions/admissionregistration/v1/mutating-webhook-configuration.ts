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

/** Webhooks that may change objects before they are stored. */
export interface MutatingWebhookConfiguration extends ClusterScoped {
  webhooks?: ListMap<MutatingWebhook, "name"> & PatchMerge<"name">;
}

export interface MutatingWebhook {
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
  reinvocationPolicy?: ReinvocationPolicyType & Default<"Never">;
  matchConditions?: ListMap<MatchCondition, "name"> & PatchMerge<"name">;
}

export type ReinvocationPolicyType = "Never" | "IfNeeded";

export const mutatingWebhookConfiguration = kind<MutatingWebhookConfiguration>({
  plural: "mutatingwebhookconfigurations",
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
