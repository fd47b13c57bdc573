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
  /** The webhooks. */
  webhooks?: ListMap<MutatingWebhook, "name"> & PatchMerge<"name">;
}

/** A webhook that may change objects. */
export interface MutatingWebhook {
  /** Its full name, such as `images.example.com`. */
  name: string;
  /** How to reach it. */
  clientConfig: WebhookClientConfig;
  /** Requests it is asked about. */
  rules?: ListAtomic<RuleWithOperations>;
  /** What happens when it cannot be reached. */
  failurePolicy?: FailurePolicyType & Default<"Ignore">;
  /** Whether requests in other versions count too. */
  matchPolicy?: MatchPolicyType & Default<"Exact">;
  /** Only objects of these namespaces. */
  namespaceSelector?: LabelSelector & Default<{}>;
  /** Only objects with these labels. */
  objectSelector?: LabelSelector & Default<{}>;
  /** Whether it does anything besides answering. */
  sideEffects?: SideEffectClass & Default<"Unknown">;
  /** Seconds it has to answer. */
  timeoutSeconds?: Int32 & Default<30>;
  /** Versions of the question it understands, best first. */
  admissionReviewVersions?: ListAtomic<string> & Default<["v1beta1"]>;
  /** Whether it is asked again after others have changed the object. */
  reinvocationPolicy?: ReinvocationPolicyType & Default<"Never">;
  /** Conditions in CEL that must all hold for it to be asked. */
  matchConditions?: ListMap<MatchCondition, "name"> & PatchMerge<"name">;
}

export type ReinvocationPolicyType = Open<"Never" | "IfNeeded">;

export const mutatingWebhookConfiguration = kind<MutatingWebhookConfiguration>({
  plural: "mutatingwebhookconfigurations",
  generation: true,
  conditionalUpdate: true,
  categories: ["api-extensions"],
  introduced: "1.9",
  deprecated: "1.16",
  removed: "1.22",
  replacement: "admissionregistration.<domain>/v1 MutatingWebhookConfiguration",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Webhooks", type: "integer", description: "How many webhooks there are." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
