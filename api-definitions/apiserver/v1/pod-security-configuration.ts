import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { configKind, type Default } from "../../vocabulary.ts";

/** Settings of the plugin PodSecurity. */
export interface PodSecurityConfiguration extends TypeMeta {
  /** What holds where the labels of a namespace say nothing. */
  defaults?: PodSecurityDefaults;
  /** What no standard holds for. */
  exemptions?: PodSecurityExemptions;
}

/** Standards of pods, and the releases whose they are. */
export interface PodSecurityDefaults {
  /** The standard that pods must meet. */
  enforce?: string & Default<"privileged">;
  /** Its release. */
  "enforce-version"?: string & Default<"latest">;
  /** The standard whose violations are written into audit events. */
  audit?: string & Default<"privileged">;
  /** Its release. */
  "audit-version"?: string & Default<"latest">;
  /** The standard whose violations users are warned about. */
  warn?: string & Default<"privileged">;
  /** Its release. */
  "warn-version"?: string & Default<"latest">;
}

/** Requests that are let pass whatever their pods are. */
export interface PodSecurityExemptions {
  /** Those of these users. */
  usernames?: string[];
  /** Those in these namespaces. */
  namespaces?: string[];
  /** Those for pods of these runtime classes. */
  runtimeClasses?: string[];
}

export const podSecurityConfiguration = configKind<PodSecurityConfiguration>({
  group: "pod-security.admission.config.<domain>",
  aliases: [
    "pod-security.admission.config.<domain>/v1beta1 PodSecurityConfiguration",
    "pod-security.admission.config.<domain>/v1alpha1 PodSecurityConfiguration",
  ],
});
