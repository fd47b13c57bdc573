import type { Naming } from "../../contract/naming.ts";
import { DEFAULT_GROUP_PRIORITY, type GroupVersion } from "../../contract/resource-descriptor.ts";
import { formatTime } from "../../values/times.ts";
import type { BootstrapObject } from "./bootstrap-object.ts";

/**
 * Priorities of versions in their group, where they differ from those by stability: stable 15, beta 9, alpha 1. A group with a final `.` is completed
 * by the domain.
 */
const VERSIONS: Readonly<Record<string, number>> = {
  "/v1": 1,
  "autoscaling/v2": 30,
  "autoscaling/v2beta2": 1,
  "batch/v2alpha1": 9,
  "events./v1beta1": 5,
  "resource./v1beta2": 15,
  "admissionregistration./v1beta1": 12,
  "admissionregistration./v1alpha1": 9,
  "coordination./v1beta1": 13,
  "coordination./v1alpha2": 12,
  "discovery./v1beta1": 12,
  "flowcontrol.apiserver./v1": 21,
  "flowcontrol.apiserver./v1beta3": 18,
  "flowcontrol.apiserver./v1beta2": 15,
  "flowcontrol.apiserver./v1beta1": 12,
  "flowcontrol.apiserver./v1alpha1": 9,
  "internal.apiserver./v1alpha1": 9,
  "storagemigration./v1alpha1": 9,
};

/** Priority of the versions of custom kinds, which may be added and removed at run time. */
const CUSTOM_VERSION = 100;

export interface RankedVersion extends GroupVersion {
  /** Priority of the group among other groups. */
  readonly priority?: number | undefined;
}

export interface ApiServiceOptions extends RankedVersion {
  /** `onstart`: served by this server itself; `true`: managed together with custom kinds. */
  readonly managed: "onstart" | "true";
}

/** Returns the APIService of a group version that this server serves itself. */
export function localApiService(naming: Naming, options: ApiServiceOptions, now: Date): BootstrapObject {
  const { group, version, managed, priority = DEFAULT_GROUP_PRIORITY } = options;
  const registration = naming.group("apiregistration");
  const available = {
    type: "Available",
    status: "True",
    lastTransitionTime: formatTime(now),
    reason: "Local",
    message: "Local APIServices are always available",
  };
  return {
    resource: { group: registration, resource: "apiservices" },
    object: {
      apiVersion: `${registration}/v1`,
      kind: "APIService",
      metadata: {
        name: `${version}.${group}`,
        labels: { [naming.key("automanaged", "kube-aggregator")]: managed },
      },
      spec: {
        ...(group !== "" && { group }),
        version,
        groupPriorityMinimum: priority,
        versionPriority: managed === "true" ? CUSTOM_VERSION : rankOf(naming, group, version),
      },
      status: { conditions: [available] },
    },
  };
}

function rankOf(naming: Naming, group: string, version: string): number {
  const short = group.endsWith(`.${naming.domain}`) ? group.slice(0, -naming.domain.length) : group;
  const stability = version.includes("alpha") ? 1 : version.includes("beta") ? 9 : 15;
  return VERSIONS[`${short}/${version}`] ?? stability;
}
