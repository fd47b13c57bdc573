import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors, invalidField } from "../../../runtime/values/field-errors.ts";
import { warnOfIp } from "../../../runtime/values/ip-checks.ts";
import { loadBalancerText } from "../../core/v1/load-balancer-text.ts";
import type { Ingress } from "./ingress.ts";
import { NO_TOLERANCE, toleranceFor, validateIngressSpec, validateLoadBalancer } from "./ingress-validation.ts";

const CLASS_ANNOTATION = "kubernetes.io/ingress.class";

const MOST_HOSTS = 3;

export const hooks = kindHooks<Ingress>({
  validate: ({ metadata, spec = {} }) =>
    collectErrors((errors) => {
      validateIngressSpec(spec, NO_TOLERANCE, "spec", errors);
      const annotated = metadata?.annotations?.[CLASS_ANNOTATION];
      if (annotated !== undefined && spec.ingressClassName !== undefined && annotated !== spec.ingressClassName) {
        const detail = "must match `ingressClassName` when both are specified";
        errors.push(invalidField(`annotations.${CLASS_ANNOTATION}`, annotated, detail));
      }
    }),
  warn: ({ metadata, spec, status }, { old, subresource }) => {
    if (subresource === "status") {
      return (status?.loadBalancer?.ingress ?? []).flatMap(({ ip }, index) =>
        ip ? warnOfIp(`status.loadBalancer.ingress[${index}]`, ip) : [],
      );
    }
    const isAnnotated = metadata?.annotations?.[CLASS_ANNOTATION] !== undefined;
    return old === undefined && isAnnotated && spec?.ingressClassName === undefined
      ? [`annotation "${CLASS_ANNOTATION}" is deprecated, please use 'spec.ingressClassName' instead`]
      : [];
  },
  cells: ({ spec, status }) => ({
    Class: spec?.ingressClassName ?? "<none>",
    Hosts: hostsText(spec?.rules ?? []),
    Address: loadBalancerText(status?.loadBalancer?.ingress),
    Ports: spec?.tls?.length ? "80, 443" : "80",
  }),
  validation: {
    update: ({ spec = {} }, old) =>
      collectErrors((errors) => validateIngressSpec(spec, toleranceFor(old), "spec", errors)),
    subresources: {
      status: ({ status }, old, context) =>
        collectErrors((errors) => {
          const [now, before] = [status?.loadBalancer ?? {}, old.status?.loadBalancer ?? {}];
          validateLoadBalancer(now, before, context, "status.loadBalancer", errors);
        }),
    },
  },
  compatibility: {
    order: { update: ["metadataAsChange", "metadataAsNew", "declared", "update"] },
  },
});

function hostsText(rules: readonly { host?: string }[]): string {
  const hosts = rules.map((rule) => rule.host ?? "").filter((host) => host !== "");
  if (hosts.length === 0) return "*";
  const shown = hosts.slice(0, MOST_HOSTS).join(",");
  return hosts.length >= MOST_HOSTS && rules.length > MOST_HOSTS
    ? `${shown} + ${rules.length - MOST_HOSTS} more...`
    : shown;
}
