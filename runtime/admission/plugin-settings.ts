import type { Toleration } from "../../api-definitions/core/v1/scheduling.ts";
import type { Limit } from "../../api-definitions/eventratelimit/v1alpha1/configuration.ts";
import type { ClientCredentials } from "../outbound/exchange.ts";
import type { PodSecurityPolicy } from "./pod-security/policy-labels.ts";
import type { ScopeSelector } from "./quota/scopes.ts";

/** Settings of plugins from `--admission-control-config-file`. */
export interface PluginSettings {
  readonly podSecurity?: PodSecuritySettings;
  /** Resources that may be used only where a quota limits them. */
  readonly limitedResources?: readonly LimitedResource[];
  /** Client credentials of the server for webhooks. */
  readonly mutatingCredentials?: CredentialsFor;
  readonly validatingCredentials?: CredentialsFor;
  /** Limits of EventRateLimit. */
  readonly eventRateLimits?: readonly Limit[];
  readonly imagePolicy?: ImagePolicySettings;
  /** Node selectors of PodNodeSelector, by namespace; `clusterDefaultNodeSelector` is that of all others. */
  readonly podNodeSelectors?: Readonly<Record<string, string>>;
  /** Tolerations of PodTolerationRestriction for namespaces without annotations. */
  readonly podTolerations?: {
    readonly default?: readonly Toleration[];
    readonly whitelist?: readonly Toleration[];
  };
}

/** Settings of ImagePolicyWebhook. */
export interface ImagePolicySettings {
  /** Sends a review to the webhook; resolves with its response. */
  readonly post: (review: object) => Promise<Readonly<Record<string, unknown>>>;
  /** How long decisions are kept, in milliseconds. */
  readonly allowTtlMs: number;
  readonly denyTtlMs: number;
  /** Whether images may run if the webhook cannot be reached. */
  readonly defaultAllow: boolean;
}

/** Client credentials for an address (`hooks.default.svc:443`); undefined for none. */
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
  /** Substrings of the names of limited resources. */
  readonly matchContains?: readonly string[];
  readonly matchScopes?: readonly ScopeSelector[];
}
