import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import {
  type AtomicLabel,
  type Default,
  type Int32,
  kind,
  type ListAtomic,
  type ListMap,
  type PatchMerge,
  type Since,
} from "../../vocabulary.ts";
import type { RuleWithOperations } from "../v1/rules.ts";
import type { FailurePolicyType, MatchCondition, MatchPolicyType } from "./rules.ts";
import type { SideEffectClass, WebhookClientConfig } from "./webhook-client-config.ts";

/**
 * Registers webhooks that can reject but not change objects before they are stored. They are called in parallel after
 * all changes are made. They are not called for requests that configure admission webhooks and policies themselves.
 */
export interface ValidatingWebhookConfiguration extends ClusterScoped {
  /** Webhooks of this configuration. The order has no meaning. */
  webhooks?: ListMap<ValidatingWebhook, "name"> & PatchMerge<"name">;
}

/** An admission webhook that can reject objects, and the requests for which it is called. */
export interface ValidatingWebhook {
  /** Name of the webhook, a domain name with at least three segments, such as `images.example.com`. */
  name: string;
  /** How the API server reaches the webhook. */
  clientConfig: WebhookClientConfig;
  /**
   * Rules that select the requests for which the webhook is called, by operation and resource. A request matches if at
   * least one rule matches. If empty, the webhook is never called.
   */
  rules?: ListAtomic<RuleWithOperations>;
  /**
   * What happens if the webhook cannot be called, does not respond within `timeoutSeconds` or returns an invalid
   * response.
   */
  failurePolicy?: FailurePolicyType & Default<"Ignore">;
  /**
   * Whether the webhook is also called for requests in other API groups or versions of the resources that `rules` name.
   */
  matchPolicy?: MatchPolicyType & Default<"Exact">;
  /**
   * Selects namespaces by their labels; the webhook is called only for objects in these. Requests for a Namespace are
   * matched by the labels of that Namespace. Requests for other cluster-scoped objects always match. An empty selector
   * matches all namespaces.
   */
  namespaceSelector?: LabelSelector & Default<{}>;
  /**
   * Selects objects by their labels; the webhook is called only if the object or the existing object matches. Objects
   * that cannot have labels do not match a selector with requirements. An empty selector matches all objects. Use it
   * only if users may opt out by changing labels.
   */
  objectSelector?: LabelSelector & Default<{}>;
  /**
   * Whether a call of the webhook changes anything besides the response. Dry-run requests that match a webhook with
   * `Some` or `Unknown` are rejected.
   */
  sideEffects?: SideEffectClass & AtomicLabel & Default<"Unknown">;
  /** Number of seconds within which the webhook must respond, between 1 and 30. After that `failurePolicy` applies. */
  timeoutSeconds?: Int32 & Default<30>;
  /**
   * Versions of AdmissionReview that the webhook understands, in order of preference. The API server uses the first one
   * that it supports. Calls fail if it contains neither `v1` nor `v1beta1`.
   */
  admissionReviewVersions?: ListAtomic<string> & Default<["v1beta1"]>;
  /**
   * CEL conditions that must all be `true` for the webhook to be called, evaluated after rules and selectors. If one is
   * `false`, the webhook is not called. Otherwise, if one fails, `failurePolicy` decides: `Fail` rejects the request,
   * `Ignore` does not call the webhook. At most 64 conditions are allowed.
   */
  matchConditions?: ListMap<MatchCondition, "name"> & PatchMerge<"name"> & Since<"1.27">;
}

export const validatingWebhookConfiguration = kind<ValidatingWebhookConfiguration>({
  plural: "validatingwebhookconfigurations",
  generation: true,
  conditionalUpdate: true,
  categories: ["api-extensions"],
  introduced: "1.9",
  deprecated: "1.16",
  removed: "1.22",
  replacement: "admissionregistration.<domain>/v1 ValidatingWebhookConfiguration",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Webhooks", type: "integer", description: "Number of webhooks." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
