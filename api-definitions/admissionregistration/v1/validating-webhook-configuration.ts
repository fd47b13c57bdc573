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
  /** The webhooks. */
  webhooks?: ListMap<ValidatingWebhook, "name"> & PatchMerge<"name">;
}

/** A webhook that may refuse objects. */
export interface ValidatingWebhook {
  /** Its full name, such as `images.example.com`. */
  name: string;
  /** How to reach it. */
  clientConfig: WebhookClientConfig;
  /** Requests it is asked about. */
  rules?: ListAtomic<RuleWithOperations>;
  /** What happens when it cannot be reached. */
  failurePolicy?: FailurePolicyType & Default<"Fail">;
  /** Whether requests in other versions count too. */
  matchPolicy?: MatchPolicyType & Default<"Equivalent">;
  /** Only objects of these namespaces. */
  namespaceSelector?: LabelSelector & Default<{}>;
  /** Only objects with these labels. */
  objectSelector?: LabelSelector & Default<{}>;
  /** Whether it does anything besides answering. */
  sideEffects: SideEffectClass & Nullable;
  /** Seconds it has to answer. */
  timeoutSeconds?: Int32 & Default<10>;
  /** Versions of the question it understands, best first. */
  admissionReviewVersions: ListAtomic<string>;
  /** Conditions in CEL that must all hold for it to be asked. */
  matchConditions?: ListMap<MatchCondition, "name"> & PatchMerge<"name">;
}

export const validatingWebhookConfiguration = kind<ValidatingWebhookConfiguration>({
  plural: "validatingwebhookconfigurations",
  generation: true,
  conditionalUpdate: true,
  categories: ["api-extensions"],
  introduced: "1.16",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Webhooks", type: "integer", description: "How many webhooks there are." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
