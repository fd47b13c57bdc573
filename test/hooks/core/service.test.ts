import { describe, expect, it } from "vitest";
import { hooks } from "../../../api-definitions/core/v1/service.hooks.ts";
import type { ServiceSpec } from "../../../api-definitions/core/v1/service.ts";
import { contextWith, problemsOf, problemsOfChange, warningsOf } from "./run-hooks.ts";

const port = { port: 80, protocol: "TCP", targetPort: 80 };
const plain = {
  type: "ClusterIP",
  sessionAffinity: "None",
  internalTrafficPolicy: "Cluster",
  clusterIP: "10.0.0.5",
  clusterIPs: ["10.0.0.5"],
  ipFamilies: ["IPv4"],
  ipFamilyPolicy: "SingleStack",
  ports: [port],
};
const balanced = {
  ...plain,
  type: "LoadBalancer",
  externalTrafficPolicy: "Cluster",
  allocateLoadBalancerNodePorts: true,
};

function service(changes: object, base: object = plain) {
  return { metadata: { name: "s", namespace: "here" }, spec: { ...base, ...changes } as ServiceSpec };
}

describe("a service", () => {
  it("is accepted if it is valid", () => {
    expect(problemsOf(hooks, service({}))).toEqual([]);
    expect(problemsOf(hooks, service({}, balanced))).toEqual([]);
    expect(
      problemsOf(hooks, service({ clusterIP: "None", clusterIPs: ["None"], ports: [], selector: { a: "b" } })),
    ).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    ["ports", { ports: [] }, ["spec.ports: Required value"]],
    [
      "names of several ports",
      { ports: [port, { ...port, port: 81 }] },
      ["spec.ports[0].name: Required value", "spec.ports[1].name: Required value"],
    ],
    [
      "distinct names",
      {
        ports: [
          { ...port, name: "a" },
          { ...port, port: 81, name: "a" },
        ],
      },
      ['spec.ports[1].name: Duplicate value: "a"'],
    ],
    [
      "a port number",
      { ports: [{ ...port, port: 0 }] },
      ["spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive"],
    ],
    [
      "a known protocol",
      { ports: [{ ...port, protocol: "ICMP" }] },
      ['spec.ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"'],
    ],
    [
      "distinct ports",
      {
        ports: [
          { ...port, name: "a" },
          { ...port, name: "b" },
        ],
      },
      [
        'spec.ports[1]: Duplicate value: core.ServicePort{Name:"", Protocol:"TCP", AppProtocol:(*string)(nil), Port:80, TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:""}, NodePort:0}',
      ],
    ],
    [
      "no node port",
      { ports: [{ ...port, nodePort: 30000 }] },
      ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
    ],
    [
      "a known type",
      { type: "Odd" },
      [
        'spec.type: Unsupported value: "Odd": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
      ],
    ],
    [
      "a known affinity",
      { sessionAffinity: "Cookie" },
      ['spec.sessionAffinity: Unsupported value: "Cookie": supported values: "ClientIP", "None"'],
    ],
    [
      "a timeout of its affinity",
      { sessionAffinity: "ClientIP" },
      ["spec.sessionAffinityConfig: Required value: when session affinity type is ClientIP"],
    ],
    [
      "a timeout within a day",
      {
        sessionAffinity: "ClientIP",
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } },
      },
      [
        "spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400",
      ],
    ],
    [
      "sound addresses",
      { clusterIP: "x", clusterIPs: ["x"] },
      ['spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
    ],
    [
      "addresses that agree",
      { clusterIPs: ["10.0.0.6"] },
      ['spec.clusterIPs: Invalid value: []string{"10.0.0.6"}: first value must match `clusterIP`'],
    ],
    [
      "one address of each family",
      { clusterIPs: ["10.0.0.5", "10.0.0.6"] },
      [
        'spec.clusterIPs: Invalid value: []string{"10.0.0.5", "10.0.0.6"}: may specify no more than one IP for each IP family',
      ],
    ],
    [
      "addresses of its families",
      { ipFamilies: ["IPv6"] },
      ['spec.clusterIPs[0]: Invalid value: "10.0.0.5": expected an IPv6 value as indicated by `ipFamilies[0]`'],
    ],
    ["known families, each once", { ipFamilies: ["IPv4", "IPv4"] }, ['spec.ipFamilies[1]: Duplicate value: "IPv4"']],
    [
      "usable external addresses",
      { externalIPs: ["127.0.0.1"], externalTrafficPolicy: "Cluster" },
      ['spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)'],
    ],
    [
      "no source ranges",
      { loadBalancerSourceRanges: ["10.0.0.0/8"] },
      ["spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'"],
    ],
    [
      "no external traffic policy",
      { externalTrafficPolicy: "Local" },
      ['spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services'],
    ],
    [
      "no health check port",
      { healthCheckNodePort: 30_000 },
      [
        "spec.healthCheckNodePort: Invalid value: 30000: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ],
    ],
    [
      "a known traffic distribution",
      { trafficDistribution: "Near" },
      ['spec.trafficDistribution: Unsupported value: "Near": supported values: "PreferClose"'],
    ],
    [
      "no class",
      { loadBalancerClass: "a/b" },
      ["spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'"],
    ],
  ])("inside the cluster needs %s", (_what, changes, expected) => {
    expect(problemsOf(hooks, service(changes))).toEqual(expected);
  });

  it("of type ExternalName needs a name and no cluster IP", () => {
    expect(problemsOf(hooks, service({ type: "ExternalName" }))).toEqual([
      "spec.clusterIPs: Forbidden: may not be set for ExternalName services",
      "spec.ipFamilies: Forbidden: may not be set for ExternalName services",
      "spec.ipFamilyPolicy: Forbidden: may not be set for ExternalName services",
      "spec.externalName: Required value",
    ]);
    expect(
      problemsOf(hooks, service({}, { type: "ExternalName", externalName: "example.com.", sessionAffinity: "None" })),
    ).toEqual([]);
  });

  it("of type LoadBalancer cannot be headless", () => {
    expect(problemsOf(hooks, service({ clusterIP: "None", clusterIPs: ["None"], ipFamilies: [] }, balanced))).toEqual([
      "spec.clusterIPs[0]: Invalid value: \"None\": may not be set to 'None' for LoadBalancer services",
    ]);
  });

  it("cannot change its primary cluster IP and family", () => {
    const old = service({});
    expect(problemsOfChange(hooks, service({ clusterIP: "10.0.0.6", clusterIPs: ["10.0.0.6"] }), old)).toEqual([
      'spec.clusterIPs[0]: Invalid value: []string{"10.0.0.6"}: may not change once set',
    ]);
    expect(problemsOfChange(hooks, service({ clusterIP: "", clusterIPs: undefined }), old)).toEqual([
      "spec.clusterIPs[0]: Invalid value: []string(nil): primary clusterIP can not be unset",
    ]);
    const both = { clusterIPs: ["10.0.0.5", "fd00::5"], ipFamilies: ["IPv4", "IPv6"] };
    const dual = service({ ...both, ipFamilyPolicy: "RequireDualStack" });
    expect(problemsOfChange(hooks, service({ ipFamilyPolicy: "PreferDualStack" }), dual)).toEqual([
      "spec.ipFamilyPolicy: Invalid value: \"PreferDualStack\": must be set to 'SingleStack' when releasing the secondary clusterIP",
      "spec.ipFamilyPolicy: Invalid value: \"PreferDualStack\": must be set to 'SingleStack' when releasing the secondary ipFamily",
    ]);
    expect(problemsOfChange(hooks, service({}), dual)).toEqual([]);
    expect(problemsOfChange(hooks, dual, old)).toEqual([]);
  });

  it("cannot change its load balancer class", () => {
    const change = problemsOfChange(
      hooks,
      service({ loadBalancerClass: "a/b" }, balanced),
      service({ loadBalancerClass: "a/c" }, balanced),
    );
    expect(change).toEqual(['spec.loadBalancerClass: Invalid value: "a/b": may not change once set']);
  });

  it("has load balancer status only for type LoadBalancer", () => {
    const status = { loadBalancer: { ingress: [{ ip: "1.2.3.4", ipMode: "Odd" }, { hostname: "1.2.3.4" }] } };
    const context = contextWith({ subresource: "status" });
    expect(problemsOfChange(hooks, { ...service({}), status }, service({}), context)).toEqual([
      "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
    ]);
    expect(problemsOfChange(hooks, { ...service({}, balanced), status }, service({}, balanced), context)).toEqual([
      'status.loadBalancer.ingress[0].ipMode: Unsupported value: "Odd": supported values: "Proxy", "VIP"',
      'status.loadBalancer.ingress[1].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
    ]);
  });

  it("returns warnings for addresses that are not in canonical form", () => {
    expect(
      warningsOf(
        hooks,
        service({ externalIPs: ["010.0.0.1"], externalName: "x", loadBalancerSourceRanges: ["10.0.0.1/8"] }),
      ),
    ).toEqual([
      'spec.externalIPs[0]: non-standard IP address "010.0.0.1" will be considered invalid in a future Kubernetes release: use "10.0.0.1"',
      'spec.loadBalancerSourceRanges[0]: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)',
      'spec.externalName is ignored when spec.type is not "ExternalName"',
    ]);
  });
});
