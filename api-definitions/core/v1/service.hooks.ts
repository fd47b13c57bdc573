import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { labelsText } from "../../../runtime/lib/table-text.ts";
import { loadBalancerText } from "./load-balancer-text.ts";
import type { Service } from "./service.ts";

export const hooks = hooksFor<Service>({
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
