import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { warnOfCidr } from "../../../runtime/values/ip-checks.ts";
import type { Node } from "./node.ts";
import { validateNode, validateNodeChange } from "./node-validation.ts";
import { roundToMillis } from "./pod-defaults.ts";

const ROLE_PREFIX = "node-role.kubernetes.io/";
const ROLE_LABEL = "kubernetes.io/role";

export const hooks = kindHooks<Node>({
  default: ({ spec, status }) => {
    if (status?.capacity !== undefined) status.allocatable ??= { ...status.capacity };
    roundToMillis(status?.capacity);
    roundToMillis(status?.allocatable);
    if (spec !== undefined) alignPodRanges(spec);
  },
  validate: validateNode,
  warn: ({ spec }, { subresource }) => {
    if (subresource !== undefined) return [];
    return [
      ...(spec?.configSource === undefined ? [] : ["spec.configSource: the feature is removed"]),
      ...(spec?.externalID ? ["spec.externalID: this field is deprecated, and is unused by Kubernetes"] : []),
      ...(spec?.podCIDRs ?? []).flatMap((range, index) => warnOfCidr(`spec.podCIDRs[${index}]`, range)),
    ];
  },
  cells: (node) => {
    const info = node.status?.nodeInfo;
    return {
      Status: statusText(node),
      Roles: roles(node).join(",") || "<none>",
      Version: info?.kubeletVersion ?? "",
      "Internal-IP": address(node, "InternalIP"),
      "External-IP": address(node, "ExternalIP"),
      "OS-Image": info?.osImage || "<unknown>",
      "Kernel-Version": info?.kernelVersion || "<unknown>",
      "Container-Runtime": info?.containerRuntimeVersion || "<unknown>",
    };
  },
  validation: {
    update: validateNodeChange,
    subresources: { status: validateNodeChange },
  },
  lifecycle: {
    /** Kubelets set the status when they create their Node. */
    acceptsStatusOnCreate: true,
    prepareForCreate: ({ spec, status }, { featureEnabled }) => {
      delete spec?.configSource;
      delete status?.config;
      // The feature gates only apply to new Nodes: updates of the status keep these fields.
      if (!["RecursiveReadOnlyMounts", "UserNamespacesSupport"].some(featureEnabled)) delete status?.runtimeHandlers;
      if (!featureEnabled("SupplementalGroupsPolicy")) delete status?.features;
    },
    prepareForUpdate: ({ spec, status }, old, { subresource }) => {
      if (subresource === undefined && old.spec?.configSource === undefined) delete spec?.configSource;
      if (subresource === "status" && old.status?.config === undefined) delete status?.config;
    },
  },
  table: {
    selectable: { "spec.unschedulable": ({ spec }) => String(spec?.unschedulable ?? false) },
  },
  compatibility: {
    order: { update: ["metadataAsNew", "declared", "validate", "metadataAsChange", "update"] },
  },
});

/** `podCIDR` equals the first entry of `podCIDRs`, and replaces the list if they differ. */
function alignPodRanges(spec: NonNullable<Node["spec"]>): void {
  const [first] = spec.podCIDRs ?? [];
  if (spec.podCIDR && spec.podCIDR !== first) spec.podCIDRs = [spec.podCIDR];
  else if (first !== undefined) spec.podCIDR = first;
}

function statusText(node: Node): string {
  const ready = node.status?.conditions?.findLast((condition) => condition.type === "Ready");
  const text = ready === undefined ? "Unknown" : ready.status === "True" ? "Ready" : "NotReady";
  return node.spec?.unschedulable ? `${text},SchedulingDisabled` : text;
}

function roles(node: Node): string[] {
  const found = new Set<string>();
  for (const [label, value] of Object.entries(node.metadata?.labels ?? {})) {
    if (label.startsWith(ROLE_PREFIX) && label.length > ROLE_PREFIX.length) found.add(label.slice(ROLE_PREFIX.length));
    else if (label === ROLE_LABEL && value !== "") found.add(value);
  }
  return [...found].sort();
}

function address(node: Node, type: string): string {
  return node.status?.addresses?.find((candidate) => candidate.type === type)?.address ?? "<none>";
}
