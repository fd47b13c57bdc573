import type { Naming } from "../../contract/naming.ts";
import { DEFAULT_GROUP_PRIORITY, type GroupVersion } from "../../contract/resource-descriptor.ts";
import { formatTime } from "../../values/times.ts";
import type { BootstrapObject } from "./bootstrap-object.ts";

/** How versions rank in their group, `.` standing for the domain, where it is not by stability alone: stable 15, beta 9, alpha 1. */
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

/** Rank of a version that comes and goes with a custom kind. */
const CUSTOM_VERSION = 100;

export interface RankedVersion extends GroupVersion {
  /** How its group ranks among others. */
  readonly priority?: number | undefined;
}

export interface ApiServiceOptions extends RankedVersion {
  /** `onstart`: served by this server itself; `true`: kept in step with custom kinds. */
  readonly managed: "onstart" | "true";
}

/** The APIService of a group and version that this server serves itself. */
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
