import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { warnOfCidr, warnOfIp } from "../../../runtime/values/ip-checks.ts";
import { checkDns1035Label, maskTrailingDash } from "../../../runtime/values/names.ts";
import { labelsText } from "../../../runtime/values/table-text.ts";
import { validateLoadBalancerStatus } from "./load-balancer-status.ts";
import { loadBalancerText } from "./load-balancer-text.ts";
import type { Service } from "./service.ts";
import { validateServiceChange } from "./service-change.ts";
import { isExternallyAccessible } from "./service-traffic.ts";
import { TOPOLOGY_HINTS, validateService } from "./service-validation.ts";
import { completeService, dropInternalPolicy } from "./stored-services.ts";

export const hooks = kindHooks<Service>({
  default: defaultService,
  defaults: { stored: completeService },
  validate: (service, context) => validateService(service, context.old, context),
  warn: (service, { subresource }) => (subresource === "status" ? warnOfIngress(service) : warnOfService(service)),
  cells: (service) => ({
    "Cluster-IP": service.spec?.clusterIPs?.[0] ?? "<none>",
    "External-IP": externalAddress(service),
    "Port(s)": portsText(service),
    Selector: labelsText(service.spec?.selector),
  }),
  validation: {
    update: validateServiceChange,
    subresources: {
      status: ({ spec, status }, old, context) =>
        validateLoadBalancerStatus(status?.loadBalancer, old.status?.loadBalancer, spec?.type, context),
    },
    name: (name, isPrefix) => checkDns1035Label(isPrefix ? maskTrailingDash(name) : name),
  },
  lifecycle: { prepareForCreate: dropInternalPolicy, prepareForUpdate: dropInternalPolicy },
  compatibility: {
    order: { update: ["metadataAsChange", "declared", "update", "metadataAsNew", "validate"] },
  },
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
  if (isExternallyAccessible(spec)) spec.externalTrafficPolicy ||= "Cluster";
  if (spec.type !== "ExternalName") spec.internalTrafficPolicy ??= "Cluster";
  if (!balanced) return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of status?.loadBalancer?.ingress ?? []) if (ingress.ip) ingress.ipMode ??= "VIP";
}

function warnOfService({ metadata, spec = {} }: Service): string[] {
  const { clusterIP = "", clusterIPs = [], externalIPs = [], loadBalancerIP, loadBalancerSourceRanges = [] } = spec;
  const isExternalName = spec.type === "ExternalName";
  const hasAddress = clusterIP !== "" && clusterIP !== "None";
  return [
    ...(metadata?.annotations?.[TOPOLOGY_HINTS] === undefined
      ? []
      : [`annotation ${TOPOLOGY_HINTS} is deprecated, please use service.kubernetes.io/topology-mode instead`]),
    ...(hasAddress ? clusterIPs.flatMap((ip, index) => warnOfIp(`spec.clusterIPs[${index}]`, ip)) : []),
    ...externalIPs.flatMap((ip, index) => warnOfIp(`spec.externalIPs[${index}]`, ip)),
    ...(loadBalancerIP ? warnOfIp("spec.loadBalancerIP", loadBalancerIP) : []),
    ...loadBalancerSourceRanges.flatMap((range, index) => warnOfCidr(`spec.loadBalancerSourceRanges[${index}]`, range)),
    ...(isExternalName && externalIPs.length > 0
      ? ['spec.externalIPs is ignored when spec.type is "ExternalName"']
      : []),
    ...(!isExternalName && spec.externalName
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
  ];
}

function warnOfIngress({ status }: Service): string[] {
  const ingress = status?.loadBalancer?.ingress ?? [];
  return ingress.flatMap(({ ip }, index) => (ip ? warnOfIp(`status.loadBalancer.ingress[${index}]`, ip) : []));
}
