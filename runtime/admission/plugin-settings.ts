import type { ClientCredentials } from "../lib/exchange.ts";
import type { PodSecurityPolicy } from "./pod-security/policy-labels.ts";
import type { ScopeSelector } from "./quota/scopes.ts";

/** What `--admission-control-config-file` tells plugins. */
export interface PluginSettings {
  readonly podSecurity?: PodSecuritySettings;
  /** What may be used only where a quota says how much of it. */
  readonly limitedResources?: readonly LimitedResource[];
  /** Who the server is to webhooks. */
  readonly mutatingCredentials?: CredentialsFor;
  readonly validatingCredentials?: CredentialsFor;
}

/** Who the server is at an address (`hooks.default.svc:443`); nobody where that is undefined. */
export type CredentialsFor = (address: string) => ClientCredentials | undefined;

export interface PodSecuritySettings {
  /** What holds where the labels of a namespace say nothing. */
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
  /** Parts of the names of what is limited. */
  readonly matchContains?: readonly string[];
  readonly matchScopes?: readonly ScopeSelector[];
}
