import type { ApiObject } from "../../contract/api-object.ts";
import type { Naming } from "../../contract/naming.ts";
import { formatDay, formatTime } from "../../values/times.ts";
import type { BootstrapObject } from "./bootstrap-object.ts";

const core = (resource: string) => ({ group: "", resource });

/** Returns the system namespaces. They must be created first, because they contain other bootstrap objects. */
export function systemNamespaces(naming: Naming, { nodeLeases = true } = {}): BootstrapObject[] {
  const names = ["default", ...(nodeLeases ? ["kube-node-lease"] : []), "kube-public", "kube-system"];
  return names.map((name) => ({
    resource: core("namespaces"),
    object: {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name, labels: { [naming.key("metadata.name")]: name } },
      spec: {},
      status: {},
    },
  }));
}

export function systemPriorityClasses(naming: Naming): BootstrapObject[] {
  const group = naming.group("scheduling");
  const make = (name: string, value: number, description: string): BootstrapObject => ({
    resource: { group, resource: "priorityclasses" },
    object: {
      apiVersion: `${group}/v1`,
      kind: "PriorityClass",
      metadata: { name },
      value,
      description,
      preemptionPolicy: "PreemptLowerPriority",
    },
  });
  return [
    make(
      "system-node-critical",
      2_000_001_000,
      "Used for system critical pods that must not be moved from their current node.",
    ),
    make(
      "system-cluster-critical",
      2_000_000_000,
      "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
    ),
  ];
}

/** Returns the ServiceCIDR with the ranges of service addresses. */
export function defaultServiceCidr(naming: Naming, cidrs: readonly string[], now: Date): BootstrapObject {
  const group = naming.group("networking");
  const ready = {
    type: "Ready",
    status: "True",
    lastTransitionTime: formatTime(now),
    message: "Kubernetes default Service CIDR is ready",
  };
  return {
    resource: { group, resource: "servicecidrs" },
    object: {
      apiVersion: `${group}/v1`,
      kind: "ServiceCIDR",
      metadata: { name: naming.vendor },
      spec: { cidrs: [...cidrs] },
    },
    status: {
      value: { conditions: [ready] },
      as: { fieldManager: `${naming.vendor}-service-cidr-controller`, applied: true },
    },
  };
}

export interface ApiServerAddress {
  /** The first address of each service range. */
  readonly serviceAddresses: readonly string[];
  readonly securePort: number;
  /** 0 for none. */
  readonly nodePort?: number;
}

/** Returns the Service through which pods reach this server. */
export function apiServerService(
  naming: Naming,
  { serviceAddresses, securePort, nodePort = 0 }: ApiServerAddress,
): BootstrapObject {
  const [clusterIP = ""] = serviceAddresses;
  const port = { name: "https", protocol: "TCP", port: 443, targetPort: securePort, ...(nodePort > 0 && { nodePort }) };
  return {
    resource: core("services"),
    object: {
      apiVersion: "v1",
      kind: "Service",
      metadata: {
        name: naming.vendor,
        namespace: "default",
        labels: { component: "apiserver", provider: naming.vendor },
      },
      spec: {
        type: nodePort > 0 ? "NodePort" : "ClusterIP",
        clusterIP,
        ipFamilyPolicy: "SingleStack",
        sessionAffinity: "None",
        ports: [port],
      },
    },
    repair: (stored) => withTargetPort(stored, securePort),
  };
}

/** Updates the target port: the server may listen on another port after a restart. */
function withTargetPort(stored: ApiObject, targetPort: number): ApiObject {
  const spec = stored.spec as { ports?: { name?: string; targetPort?: number }[] } | undefined;
  const [only] = spec?.ports ?? [];
  if (only === undefined || only.targetPort === targetPort) return stored;
  return { ...stored, spec: { ...spec, ports: [{ ...only, targetPort }] } };
}

/**
 * Returns the ConfigMap with the date since which the use of tokens in Secrets is recorded. kube-controller-manager deletes tokens that were not used
 * since.
 */
export function tokenTrackingConfigMap(now: Date): BootstrapObject {
  return {
    resource: core("configmaps"),
    object: {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "kube-apiserver-legacy-service-account-token-tracking", namespace: "kube-system" },
      data: { since: formatDay(now) },
    },
  };
}
