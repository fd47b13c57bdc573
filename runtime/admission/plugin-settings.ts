import type { Toleration } from "../../api-definitions/core/v1/scheduling.ts";
import type { Limit } from "../../api-definitions/eventratelimit/v1alpha1/configuration.ts";
import type { ClientCredentials } from "../outbound/exchange.ts";
import type { PodSecurityPolicy } from "./pod-security/policy-labels.ts";
import type { ScopeSelector } from "./quota/scopes.ts";

/** Settings of plugins from `--admission-control-config-file`. */
export interface PluginSettings {
  readonly podSecurity?: PodSecuritySettings;
  /** Resources that may be used only if a quota limits them. */
  readonly limitedResources?: readonly LimitedResource[];
  /** Client credentials with which the server calls webhooks. */
  readonly mutatingCredentials?: CredentialsFor;
  readonly validatingCredentials?: CredentialsFor;
  /** Limits of EventRateLimit. */
  readonly eventRateLimits?: readonly Limit[];
  readonly imagePolicy?: ImagePolicySettings;
  /** Node selectors of PodNodeSelector by namespace. `clusterDefaultNodeSelector` applies to all other namespaces. */
  readonly podNodeSelectors?: Readonly<Record<string, string>>;
  /** Tolerations of PodTolerationRestriction for namespaces without annotations. */
  readonly podTolerations?: {
    readonly default?: readonly Toleration[];
    readonly whitelist?: readonly Toleration[];
  };
}

/** Settings of ImagePolicyWebhook. */
export interface ImagePolicySettings {
  /** Sends a review to the webhook. Resolves with its response. */
  readonly post: (review: object) => Promise<Readonly<Record<string, unknown>>>;
  /** Milliseconds for which decisions are cached. */
  readonly allowTtlMs: number;
  readonly denyTtlMs: number;
  /** Whether images are allowed if the webhook cannot be reached. */
  readonly defaultAllow: boolean;
}

/** Returns the client credentials for an address (`hooks.default.svc:443`); undefined if there are none. */
export type CredentialsFor = (address: string) => ClientCredentials | undefined;

export interface PodSecuritySettings {
  /** Defaults for namespaces without Pod Security labels. */
  readonly defaults: PodSecurityPolicy;
  readonly exempt: {
    readonly usernames: readonly string[];
    readonly namespaces: readonly string[];
    readonly runtimeClasses: readonly string[];
  };
}

export interface LimitedResource {
  readonly apiGroup?: string;
  readonly resource: string;
  /** Substrings of resource names: matching resources are limited. */
  readonly matchContains?: readonly string[];
  readonly matchScopes?: readonly ScopeSelector[];
}
