import type { Naming } from "../../contract/naming.ts";
import type { GroupVersion } from "../../contract/resource-descriptor.ts";
import type { BootstrapObject } from "./bootstrap-object.ts";

/** How groups rank among each other; `.` at the end stands for the domain. */
const GROUPS: Readonly<Record<string, number>> = {
  "": 18000,
  apps: 17800,
  "events.": 17750,
  "authentication.": 17700,
  "authorization.": 17600,
  autoscaling: 17500,
  batch: 17400,
  "certificates.": 17300,
  "networking.": 17200,
  policy: 17100,
  "rbac.authorization.": 17000,
  "storage.": 16800,
  "apiextensions.": 16700,
  "admissionregistration.": 16700,
  "scheduling.": 16600,
  "coordination.": 16500,
  "node.": 16300,
  "discovery.": 16200,
  "resource.": 16200,
  "flowcontrol.apiserver.": 16100,
  "internal.apiserver.": 16000,
  "storagemigration.": 15800,
};

/** How versions rank where it is not by stability alone: stable 15, beta 9, alpha 1. */
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
const CUSTOM = { group: 1000, version: 100 };

export interface ApiServiceOptions extends GroupVersion {
  /** `onstart`: served by this server itself; `true`: kept in step with custom kinds. */
  readonly managed: "onstart" | "true";
}

/** The APIService that says a group and version is served right here. */
export function localApiService(naming: Naming, options: ApiServiceOptions, now: Date): BootstrapObject {
  const { group, version, managed } = options;
  const registration = naming.group("apiregistration");
  const rank = managed === "true" ? CUSTOM : rankOf(naming, group, version);
  const available = {
    type: "Available",
    status: "True",
    lastTransitionTime: now.toISOString().replace(/\.\d+/, ""),
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
        groupPriorityMinimum: rank.group,
        versionPriority: rank.version,
      },
      status: { conditions: [available] },
    },
  };
}

function rankOf(naming: Naming, group: string, version: string): { group: number; version: number } {
  const short = group.endsWith(`.${naming.domain}`) ? group.slice(0, -naming.domain.length) : group;
  const stability = version.includes("alpha") ? 1 : version.includes("beta") ? 9 : 15;
  return { group: GROUPS[short] ?? CUSTOM.group, version: VERSIONS[`${short}/${version}`] ?? stability };
}
