import type { ClientCredentials } from "../lib/exchange.ts";
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
