import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { labelsText } from "../../../runtime/lib/table-text.ts";
import { loadBalancerText } from "./load-balancer-text.ts";
import type { Service } from "./service.ts";

export const hooks = hooksFor<Service>({
  defaults: defaultService,
  cells: (service) => ({
    "Cluster-IP": service.spec?.clusterIPs?.[0] ?? "<none>",
    "External-IP": externalAddress(service),
    "Port(s)": portsText(service),
    Selector: labelsText(service.spec?.selector),
  }),
});

function externalAddress(service: Service): string {
  const external = service.spec?.externalIPs ?? [];
  switch (service.spec?.type) {
    case "ClusterIP":
    case "NodePort":
      return external.length === 0 ? "<none>" : external.join(",");
    case "LoadBalancer": {
      const balanced = loadBalancerText(service.status?.loadBalancer?.ingress);
      const all = [...(balanced === "" ? [] : [balanced]), ...external];
      return all.length === 0 ? "<pending>" : all.join(",");
    }
    case "ExternalName":
      return service.spec.externalName ?? "";
    default:
      return "<unknown>";
  }
}

function portsText(service: Service): string {
  const ports = (service.spec?.ports ?? []).map(({ port, nodePort, protocol }) =>
    nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
  );
  return ports.length === 0 ? "<none>" : ports.join(",");
}

const AFFINITY_SECONDS = 10_800;

function defaultService({ spec, status }: Service): void {
  if (spec === undefined) return;
  if (spec.sessionAffinity === "None") delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === "ClientIP" && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: AFFINITY_SECONDS } };
  }
  for (const port of spec.ports ?? []) if (!port.targetPort) port.targetPort = port.port;
  const balanced = spec.type === "LoadBalancer";
  const external =
    balanced || spec.type === "NodePort" || (spec.type === "ClusterIP" && (spec.externalIPs?.length ?? 0) > 0);
  if (external) spec.externalTrafficPolicy ||= "Cluster";
  if (spec.type !== "ExternalName") spec.internalTrafficPolicy ??= "Cluster";
  if (!balanced) return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of status?.loadBalancer?.ingress ?? []) if (ingress.ip) ingress.ipMode ??= "VIP";
}
