import { describe, expect, it } from "vitest";
import { hooks as endpointsHooks } from "../../api-definitions/core/v1/endpoints.hooks.ts";
import { hooks as nodeHooks } from "../../api-definitions/core/v1/node.hooks.ts";
import { hooks as podHooks } from "../../api-definitions/core/v1/pod.hooks.ts";
import { hooks as serviceHooks } from "../../api-definitions/core/v1/service.hooks.ts";
import { hooks as sliceHooks } from "../../api-definitions/discovery/v1/endpoint-slice.hooks.ts";
import { hooks as ingressHooks } from "../../api-definitions/networking/v1/ingress.hooks.ts";
import { hooks as policyHooks } from "../../api-definitions/networking/v1/network-policy.hooks.ts";
import type { KindHooks } from "../../runtime/contract/kind-hooks.ts";
import { contextWith, problemsOf, problemsOfChange } from "./core/run-hooks.ts";

const STRICT = ["StrictIPCIDRValidation"];
const MAPPED = "must not be an IPv4-mapped IPv6 address";
const ZEROS = "must not have leading 0s";
const BITS = "must not have bits set beyond the prefix length";

const pod = (spec: object, status?: object) => ({
  metadata: { name: "p" },
  spec: {
    containers: [{ name: "main", image: "a:1", terminationMessagePolicy: "File", imagePullPolicy: "Always" }],
    restartPolicy: "Always",
    dnsPolicy: "Default",
    serviceAccountName: "default",
    ...spec,
  },
  status,
});
const service = (spec: object, status?: object) => ({
  metadata: { name: "s" },
  spec: {
    type: "LoadBalancer",
    ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
    sessionAffinity: "None",
    internalTrafficPolicy: "Cluster",
    externalTrafficPolicy: "Cluster",
    allocateLoadBalancerNodePorts: true,
    ...spec,
  },
  status,
});
const policy = (ipBlock: object) => ({
  metadata: { name: "n" },
  spec: { podSelector: {}, egress: [{ to: [{ ipBlock }] }] },
});
const balanced = (ip: string, more?: object) => ({ loadBalancer: { ingress: [{ ip, ...more }] } });
const addresses = (addressType: string, address: string) => ({
  metadata: { name: "e" },
  addressType,
  endpoints: [{ addresses: [address] }],
});

type Row = [field: string, hooks: KindHooks<never>, object: object, problem: string];
const row = <T>(field: string, hooks: KindHooks<T>, object: object, problem: string): Row => [
  field,
  hooks as unknown as KindHooks<never>,
  object,
  problem,
];

const CREATED: Row[] = [
  row("spec.dnsConfig.nameservers[0]", podHooks, pod({ dnsConfig: { nameservers: ["010.0.0.1"] } }), ZEROS),
  row("spec.hostAliases[0].ip", podHooks, pod({ hostAliases: [{ ip: "::ffff:10.0.0.1" }] }), MAPPED),
  row("spec.clusterIPs[0]", serviceHooks, service({ clusterIP: "010.0.0.1", clusterIPs: ["010.0.0.1"] }), ZEROS),
  row("spec.externalIPs[0]", serviceHooks, service({ externalIPs: ["010.0.0.1"] }), ZEROS),
  row("spec.LoadBalancerSourceRanges[0]", serviceHooks, service({ loadBalancerSourceRanges: [" 10.0.0.1/8 "] }), BITS),
  row("spec.podCIDRs[0]", nodeHooks, { metadata: { name: "n" }, spec: { podCIDRs: ["10.0.0.1/8"] } }, BITS),
  row(
    "subsets[0].addresses[0].ip",
    endpointsHooks,
    { metadata: { name: "e" }, subsets: [{ addresses: [{ ip: "010.0.0.1" }] }] },
    ZEROS,
  ),
  row("endpoints[0].addresses[0]", sliceHooks, addresses("IPv4", "::ffff:10.0.0.1"), MAPPED),
  row("spec.egress[0].to[0].ipBlock.cidr", policyHooks, policy({ cidr: "10.0.0.1/8" }), BITS),
  row(
    "spec.egress[0].to[0].ipBlock.except[0]",
    policyHooks,
    policy({ cidr: "10.0.0.0/8", except: ["10.1.0.1/16"] }),
    BITS,
  ),
];

const REPORTED: Row[] = [
  row("status.podIPs[0]", podHooks, pod({}, { podIP: "010.0.0.1", podIPs: [{ ip: "010.0.0.1" }] }), ZEROS),
  row("status.hostIPs[0]", podHooks, pod({}, { hostIP: "010.0.0.1", hostIPs: [{ ip: "010.0.0.1" }] }), ZEROS),
  row("status.loadBalancer.ingress[0].ip", serviceHooks, service({}, balanced("010.0.0.1", { ipMode: "VIP" })), ZEROS),
  row(
    "status.loadBalancer.ingress[0].ip",
    ingressHooks,
    { metadata: { name: "i" }, status: balanced("010.0.0.1") },
    ZEROS,
  ),
];

describe("addresses in fields that are older than the strict checks", () => {
  it.each(CREATED)(
    "%s: an ambiguous one is refused while StrictIPCIDRValidation is on",
    (field, hooks, object, problem) => {
      expect(problemsOf(hooks, object, contextWith({}, STRICT)).join()).toContain(`${field}: Invalid value: `);
      expect(problemsOf(hooks, object, contextWith({}, STRICT)).join()).toContain(problem);
      expect(problemsOf(hooks, object).join()).not.toContain(field);
    },
  );

  it.each(REPORTED)(
    "%s: an ambiguous one cannot be added to a status while the gate is on",
    (field, hooks, object, problem) => {
      const change = (features: string[], old: object) =>
        problemsOfChange(hooks, object, old, contextWith({ subresource: "status" }, features)).join();
      expect(change(STRICT, { ...object, status: {} })).toContain(`${field}: Invalid value: "010.0.0.1": ${problem}`);
      expect(change(STRICT, object)).not.toContain(problem);
      expect(change([], { ...object, status: {} })).not.toContain(field);
    },
  );

  it("those that a Service has may stay", () => {
    const old = service({
      clusterIP: "010.0.0.1",
      clusterIPs: ["010.0.0.1"],
      externalIPs: ["010.0.0.2"],
      loadBalancerSourceRanges: ["10.0.0.1/8"],
    });
    const changed = { ...old, metadata: { name: "s", labels: { a: "b" } } };
    expect(problemsOfChange(serviceHooks, changed, old, contextWith({}, STRICT)).join()).not.toContain("must not");
  });
});
