import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import {
  type Default,
  type Int32,
  kind,
  type ListAtomic,
  type ListMap,
  type Open,
  type PatchMerge,
} from "../../vocabulary.ts";
import type { RuleWithOperations } from "../v1/rules.ts";
import type { FailurePolicyType, MatchCondition, MatchPolicyType } from "./rules.ts";
import type { SideEffectClass, WebhookClientConfig } from "./webhook-client-config.ts";

/** Webhooks that may change objects before they are stored. */
export interface MutatingWebhookConfiguration extends ClusterScoped {
  webhooks?: ListMap<MutatingWebhook, "name"> & PatchMerge<"name">;
}

export interface MutatingWebhook {
  name: string;
  clientConfig: WebhookClientConfig;
  rules?: ListAtomic<RuleWithOperations>;
  failurePolicy?: FailurePolicyType & Default<"Ignore">;
  matchPolicy?: MatchPolicyType & Default<"Exact">;
  namespaceSelector?: LabelSelector & Default<{}>;
  objectSelector?: LabelSelector & Default<{}>;
  sideEffects?: SideEffectClass & Default<"Unknown">;
  timeoutSeconds?: Int32 & Default<30>;
  admissionReviewVersions?: ListAtomic<string> & Default<["v1beta1"]>;
  reinvocationPolicy?: ReinvocationPolicyType & Default<"Never">;
  matchConditions?: ListMap<MatchCondition, "name"> & PatchMerge<"name">;
}

export type ReinvocationPolicyType = Open<"Never" | "IfNeeded">;

export const mutatingWebhookConfiguration = kind<MutatingWebhookConfiguration>({
  plural: "mutatingwebhookconfigurations",
  categories: ["api-extensions"],
  introduced: "1.9",
  deprecated: "1.16",
  removed: "1.22",
  replacement: "admissionregistration.<domain>/v1 MutatingWebhookConfiguration",
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
