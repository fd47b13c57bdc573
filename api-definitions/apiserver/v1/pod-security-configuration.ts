import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { configKind, type Default } from "../../vocabulary.ts";

/**
 * Configuration of the admission plugin PodSecurity: the Pod Security Standards that apply to namespaces without
 * labels, and exemptions.
 */
export interface PodSecurityConfiguration extends TypeMeta {
  /** Standards for namespaces that do not have the label `pod-security.kubernetes.io/<mode>`. */
  defaults?: PodSecurityDefaults;
  /** Users, namespaces and runtime classes whose pods are not checked. Empty by default. */
  exemptions?: PodSecurityExemptions;
}

/**
 * Pod Security Standard for each mode: `privileged`, `baseline` or `restricted`; and the release whose definition of
 * the standard is used: `latest`, or such as `v1.33`.
 */
export interface PodSecurityDefaults {
  /** Standard that pods must meet: pods that violate it are rejected. `privileged`, `baseline` or `restricted`. */
  enforce?: string & Default<"privileged">;
  /** Release whose definition of the enforced standard is used: `latest`, or such as `v1.33`. */
  "enforce-version"?: string & Default<"latest">;
  /**
   * Standard whose violations are recorded in the audit events of the requests, which are allowed. `privileged`,
   * `baseline` or `restricted`.
   */
  audit?: string & Default<"privileged">;
  /** Release whose definition of the audited standard is used: `latest`, or such as `v1.33`. */
  "audit-version"?: string & Default<"latest">;
  /**
   * Standard whose violations return a warning to the client; the requests are allowed. `privileged`, `baseline` or
   * `restricted`.
   */
  warn?: string & Default<"privileged">;
  /** Release whose definition of the warned standard is used: `latest`, or such as `v1.33`. */
  "warn-version"?: string & Default<"latest">;
}

/** Requests and pods that the plugin PodSecurity does not check. */
export interface PodSecurityExemptions {
  /**
   * Names of users whose requests are not checked. Pods that a controller creates are requests of the controller, not
   * of the user who created the workload. Entries must be unique and not empty.
   */
  usernames?: string[];
  /** Names of namespaces whose pods are not checked. Entries must be unique. */
  namespaces?: string[];
  /** Names of RuntimeClasses whose pods are not checked. Entries must be unique. */
  runtimeClasses?: string[];
}

export const podSecurityConfiguration = configKind<PodSecurityConfiguration>({
  group: "pod-security.admission.config.<domain>",
  aliases: [
    "pod-security.admission.config.<domain>/v1beta1 PodSecurityConfiguration",
    "pod-security.admission.config.<domain>/v1alpha1 PodSecurityConfiguration",
  ],
});
