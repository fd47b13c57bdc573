import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { loadBalancerText } from "../../core/v1/load-balancer-text.ts";
import type { Ingress } from "./ingress.ts";

const MOST_HOSTS = 3;

export const hooks = hooksFor<Ingress>({
  cells: ({ spec, status }) => ({
    Class: spec?.ingressClassName ?? "<none>",
    Hosts: hostsText(spec?.rules ?? []),
    Address: loadBalancerText(status?.loadBalancer?.ingress),
    Ports: spec?.tls?.length ? "80, 443" : "80",
  }),
});

function hostsText(rules: readonly { host?: string }[]): string {
  const hosts = rules.map((rule) => rule.host ?? "").filter((host) => host !== "");
  if (hosts.length === 0) return "*";
  const shown = hosts.slice(0, MOST_HOSTS).join(",");
  return hosts.length >= MOST_HOSTS && rules.length > MOST_HOSTS
    ? `${shown} + ${rules.length - MOST_HOSTS} more...`
    : shown;
}
