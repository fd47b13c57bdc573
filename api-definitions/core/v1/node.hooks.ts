import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { Node } from "./node.ts";

const ROLE_PREFIX = "node-role.kubernetes.io/";
const ROLE_LABEL = "kubernetes.io/role";

export const hooks = hooksFor<Node>({
  defaults: ({ status }) => {
    if (status?.capacity !== undefined) status.allocatable ??= { ...status.capacity };
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
});

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
